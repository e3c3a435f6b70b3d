-- Sliding window counter, approximate: the permits of a window aligned to 1970, and those of the window before it
-- weighted by the part of it that still overlaps the window that ends now, rounded up.
--
-- KEYS[1]   the state: a string, MessagePack list of the time of the last admission in microseconds, the permits
--           admitted in the window before it, those admitted in its own window, and the length of these windows in
--           microseconds (the window of who wrote them)
-- ARGV[1]   now in microseconds since 1970, or empty for the server's time
-- ARGV[2]   'acquire' or 'peek'
-- ARGV[3]   limit in permits
-- ARGV[4]   window in microseconds
-- ARGV[5..] permits asked for, one request each, decided in order (a peek answers each as if it were alone)
--
-- Reply     four integers a request: 1 if allowed else 0, permits remaining, microseconds until the request could be
--           admitted (0 if it is, -1 for never), microseconds until the key is as new
-- Writes    SET with a time to live of two windows plus the lag of the clock. A denial writes nothing, unless the clock
--           has stepped back by more than two windows: then it stores the re-based state.
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])

-- Returns the part of a count that a part of a window stands for, rounded up.
local function weighted(count, part, whole)
  local floor, rest = mul_div(count, part, whole)
  return rest > 0 and floor + 1 or floor
end

local at, previous, current, rebased = now, 0, 0, false
local state = read(4)
if state then
  local last, width
  last, previous, current, width = unpack(state)
  check(width > 0)
  at, rebased = decide_at(last, 2 * window)
  if rebased or width ~= window then
    previous, current = 0, current + weighted(previous, width - last % width, width)
  end
  if not rebased and at - last > at % window then -- the last admission lies in an earlier window
    previous = at - last <= at % window + window and current or 0
    current = 0
  end
end

local until_border = window - at % window
local from_previous = weighted(previous, until_border, window)

-- Returns the microseconds from now until a request fits that does not yet: in this window, or in the next.
local function wait_for(permits)
  local left = limit - permits
  if left >= current then
    return until_border - mul_div(left - current, window, previous) + (at - now)
  end
  return until_border + window - mul_div(left, window, current) + (at - now)
end

local written = rebased
for i = 5, #ARGV do
  local permits = tonumber(ARGV[i])
  local counted, retry = current, 0
  if permits <= limit - current - from_previous then
    counted = current + permits
  else
    retry = permits > limit and -1 or wait_for(permits)
  end
  local reset = 0
  if counted > 0 then
    reset = until_border + window + (at - now)
  elseif previous > 0 then
    reset = until_border + (at - now)
  end
  answer(math.max(limit - counted - from_previous, 0), retry, reset)
  if retry == 0 and not peek then
    current, written = counted, true
  end
end
if written and not peek then
  write({ at, previous, current, window }, 2 * window + (at - now))
end
return reply
