-- What the limiter scripts share. Java puts this text before each of them, so that both are one chunk.
--
-- Locals, not fields of a table: one that is built with every call costs 5 to 10 % of its time, more where the server's
-- allocator is slow.
--
-- ARGV[1]   now in microseconds since 1970; empty: the server's TIME, read once
-- ARGV[2]   'acquire' or 'peek'; a peek writes nothing
--
-- Every number is an integer of at most 2^53, which a double holds exactly; x / y rounded down is (x - x % y) / y.
local peek, reply = ARGV[2] == 'peek', {}

local EXACT = 9007199254740992 -- 2^53
local HOUR = 3600000

local injected = ARGV[1] ~= ''
local now
if injected then
  now = tonumber(ARGV[1])
else
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end

-- Fails the call if what stands at the key is none of our states.
local function check(ours)
  if not ours then
    error(redis.error_reply('WEIRSTATE the value at the key is not a state of this limiter'))
  end
end

-- Whether a value read from a state is an integer from low to high.
local function is_integer(value, low, high)
  return type(value) == 'number' and value >= low and value <= high and value % 1 == 0
end

-- Returns a * b / c rounded down, and the remainder. Exact while the quotient is below 2^53 and 128 * (b + c) is too,
-- as for all b and c up to 366 days in microseconds.
local function mul_div(a, b, c)
  local product = a * b
  if product < EXACT then
    local rest = product % c
    return (product - rest) / c, rest
  end
  -- Horner's scheme over the digits of a to the base of 128, the highest first.
  local digits, count = {}, 0
  while a > 0 do
    count = count + 1
    digits[count] = a % 128
    a = (a - digits[count]) / 128
  end
  local quotient, rest = 0, 0
  for i = count, 1, -1 do
    local part = rest * 128 + digits[i] * b
    rest = part % c
    quotient = quotient * 128 + (part - rest) / c
  end
  return quotient, rest
end

-- The clock rule, 3.1: returns the time to decide at, and whether the state must be re-based to now. While the clock is
-- behind the last admission by at most a life, time stands still at that admission.
local function decide_at(last, life)
  local lag = last - now
  if lag <= 0 then
    return now, false
  elseif lag <= life then
    return last, false
  end
  return now, true
end

-- Returns the milliseconds until a key may expire whose state matters for so many microseconds. Where the time is
-- injected the server's clock says nothing about it, so there an hour is the least.
local function ttl(micros)
  local millis = (micros + (-micros) % 1000) / 1000
  return math.max(millis, injected and HOUR or 1)
end

-- Returns the list of integers that KEYS[1] holds, or nil where it holds nothing.
local function read(length)
  local packed = redis.call('GET', KEYS[1])
  if not packed then
    return nil
  end
  local unpacked, state = pcall(cmsgpack.unpack, packed)
  check(unpacked and type(state) == 'table' and #state == length and cmsgpack.pack(state) == packed)
  for i = 1, length do
    check(is_integer(state[i], 0, EXACT))
  end
  return state
end

-- Stores a list of integers that matters for so many microseconds.
local function write(state, micros)
  redis.call('SET', KEYS[1], cmsgpack.pack(state), 'PX', ttl(micros))
end

-- Adds the answer to one request to the reply; retry is 0 exactly where it is allowed.
local function answer(remaining, retry, reset)
  local n = #reply
  reply[n + 1], reply[n + 2], reply[n + 3], reply[n + 4] = retry == 0 and 1 or 0, remaining, retry, reset
end
