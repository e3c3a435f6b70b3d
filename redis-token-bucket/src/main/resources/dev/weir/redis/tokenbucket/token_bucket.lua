-- Token bucket, refilled continuously and exactly.
--
-- KEYS[1]   the state: a string, MessagePack list of whole tokens, the fraction of a token as a numerator, its
--           denominator (the period of who wrote it), and the time of both in microseconds
-- ARGV[1]   now in microseconds since 1970, or empty for the server's time
-- ARGV[2]   'acquire' or 'peek'
-- ARGV[3]   capacity in tokens
-- ARGV[4]   tokens refilled per period
-- ARGV[5]   period in microseconds
-- ARGV[6]   microseconds in which an empty bucket becomes full, rounded up
-- ARGV[7..] permits asked for, one request each, decided in order (a peek answers each as if it were alone)
--
-- Reply     four integers a request: 1 if allowed else 0, permits remaining, microseconds until the request could be
--           admitted (0 if it is, -1 for never), microseconds until the key is as new
-- Writes    SET with a time to live until the bucket is full, the lag of the clock included. A denial writes nothing,
--           so that no fraction is lost, unless the clock has stepped back by more than the time in which a bucket
--           fills: then it stores the re-based state.
local capacity, refill, period, life = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local at, rebased, whole, fraction = now, false, capacity, 0
local state = read(4)
if state then
  local scale, last
  whole, fraction, scale, last = unpack(state)
  check(fraction < scale)
  if scale ~= period then
    fraction = mul_div(fraction, period, scale)
  end
  at, rebased = decide_at(last, life)
  local elapsed = rebased and 0 or at - last
  if elapsed >= life then
    whole = capacity
  else
    local gained, rest = mul_div(elapsed, refill, period)
    fraction = fraction + rest
    if fraction >= period then
      gained, fraction = gained + 1, fraction - period
    end
    whole = whole + gained
  end
  if whole >= capacity then
    whole, fraction = capacity, 0
  end
end

-- Returns the microseconds from now until so many whole tokens are there as well.
local function wait_for(tokens)
  local wait, rest = mul_div(tokens, period, refill)
  local surplus = fraction - rest
  return wait - (surplus - surplus % refill) / refill + (at - now)
end

local written = rebased
for i = 7, #ARGV do
  local permits = tonumber(ARGV[i])
  local left, retry = whole, 0
  if permits <= left then
    left = left - permits
  else
    retry = permits > capacity and -1 or wait_for(permits - left)
  end
  answer(left, retry, left < capacity and wait_for(capacity - left) or 0)
  if retry == 0 and not peek then
    whole, written = left, true
  end
end
if written and not peek then
  write({ whole, fraction, period, at }, wait_for(capacity - whole))
end
return reply
