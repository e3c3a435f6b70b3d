-- Sliding window log, exact: at most the limit in any window, wherever it starts.
--
-- KEYS[1]   the log: a ZSET whose members are running totals of the permits admitted, modulo 2^52, scored by the time
--           in microseconds; what is admitted at one microsecond is one member. Rank 0 is a base, which never counts
--           (the first write adds member 0 with score 0). The base in force is the newest expired member, or else rank
--           0; what counts is the newest total minus the base's.
-- ARGV[1]   now in microseconds since 1970, or empty for the server's time
-- ARGV[2]   'acquire' or 'peek'
-- ARGV[3]   limit in permits
-- ARGV[4]   window in microseconds
-- ARGV[5..] permits asked for, one request each, decided in order (a peek answers each as if it were alone)
--
-- Reply     four integers a request: 1 if allowed else 0, permits remaining, microseconds until the request could be
--           admitted (0 if it is, -1 for never), microseconds until the key is as new
-- Writes    one ZADD a call, the removal of at most 16 expired members, PEXPIRE of the window plus the lag of the
--           clock. A denial writes nothing, unless the clock has stepped back by more than a window: then it stores the
--           re-based log, what counted at the last admission as one entry at now.
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local key = KEYS[1]

local MODULUS = 4503599627370496 -- 2^52
local TRIM = 16

-- Returns the total that a member is.
local function total_of(member)
  local total = tonumber(member)
  check(is_integer(total, 0, MODULUS - 1) and string.format('%.0f', total) == member)
  return total
end

-- Returns the total and the time at a rank, or nil where the log is empty.
local function entry(rank)
  local found = redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')
  if not found[1] then
    return nil
  end
  local time = tonumber(found[2])
  check(is_integer(time, 0, 2 * MODULUS))
  return total_of(found[1]), time
end

local at, rebased = now, false
local base_rank, base, used = 0, 0, 0
local total, last = entry('-1')
local found = total ~= nil
if found then
  at, rebased = decide_at(last, window)
  local expired = redis.call('ZCOUNT', key, '-inf', (rebased and last or at) - window)
  base_rank = math.max(expired - 1, 0)
  -- Without its score, for Redis is slow at printing doubles.
  base = total_of(redis.call('ZRANGE', key, base_rank, base_rank)[1])
  used = (total - base) % MODULUS
end

-- Returns the time of the oldest entry with which so many permits have left.
local newest_rank
local function time_when_left(permits)
  local low = base_rank + 1
  if permits == 1 then
    return select(2, entry(low))
  end
  newest_rank = newest_rank or redis.call('ZCARD', key) - 1
  local high, time = newest_rank, last
  while low < high do
    local middle = (low + high - (low + high) % 2) / 2
    local middle_total, middle_time = entry(middle)
    if (middle_total - base) % MODULUS >= permits then
      high, time = middle, middle_time
    else
      low = middle + 1
    end
  end
  return time
end

-- Returns the microseconds until so many permits have left. What this call admits, and a re-based log, leaves last.
local waits = {}
local function wait_for(permits)
  if rebased or permits > used then
    return at - now + window
  end
  waits[permits] = waits[permits] or time_when_left(permits) - now + window
  return waits[permits]
end

local added = 0
for i = 5, #ARGV do
  local permits = tonumber(ARGV[i])
  local counted, retry = used + added, 0
  if counted + permits <= limit then
    counted = counted + permits
  else
    retry = permits > limit and -1 or wait_for(counted + permits - limit)
  end
  local newest = (rebased or counted > used) and at or last
  answer(math.max(limit - counted, 0), retry, counted > 0 and newest - now + window or 0)
  if retry == 0 and not peek then
    added = counted - used
  end
end
if peek or added == 0 and not rebased then
  return reply
end

-- Always ZADD first: a full server refuses it. After a removal it would let every write pass.
if rebased then
  redis.call('ZADD', key, now, total)
  redis.call('UNLINK', key)
  redis.call('ZADD', key, 0, 0, now, (used + added) % MODULUS)
elseif not found then
  redis.call('ZADD', key, 0, 0, at, added)
else
  local created = redis.call('ZADD', key, at, (total + added) % MODULUS)
  if last == at then
    redis.call('ZREM', key, total)
  end
  -- Where the total has come round to that of an expired member, ZADD has moved that one, and with it the ranks.
  if created == 1 and base_rank > 0 then
    redis.call('ZREMRANGEBYRANK', key, 0, math.min(base_rank, TRIM) - 1)
  end
end
redis.call('PEXPIRE', key, ttl(window + at - now))
return reply
