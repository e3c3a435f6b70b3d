-- Fixed window, windows aligned to 1970.
--
-- KEYS[1]   the state: a string, MessagePack list of the time of the last admission in microseconds, and the permits
--           admitted in its window
-- ARGV[1]   now in microseconds since 1970, or empty for the server's time
-- ARGV[2]   'acquire' or 'peek'
-- ARGV[3]   limit in permits
-- ARGV[4]   window in microseconds
-- ARGV[5..] permits asked for, one request each, decided in order (a peek answers each as if it were alone)
--
-- Reply     four integers a request: 1 if allowed else 0, permits remaining, microseconds until the request could be
--           admitted (0 if it is, -1 for never), microseconds until the key is as new
-- Writes    SET with a time to live of two windows plus the lag of the clock. A denial writes nothing, unless the clock
--           has stepped back by more than a window: then it stores the re-based state.
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])

local at, count, rebased = now, 0, false
local state = read(2)
if state then
  local last = state[1]
  count = state[2]
  at, rebased = decide_at(last, window)
  if rebased then
    -- To the first border at or after now: in the window of now the count would be forgotten at its end.
    at = now + (-now) % window
  elseif at - last > at % window then
    count = 0
  end
end

local ends_in = window - at % window + (at - now)
local written = rebased
for i = 5, #ARGV do
  local permits = tonumber(ARGV[i])
  local used, retry = count, 0
  if used + permits <= limit then
    used = used + permits
  else
    retry = permits > limit and -1 or ends_in
  end
  answer(math.max(limit - used, 0), retry, used > 0 and ends_in or 0)
  if retry == 0 and not peek then
    count, written = used, true
  end
end
if written and not peek then
  write({ at, count }, 2 * window + (at - now))
end
return reply
