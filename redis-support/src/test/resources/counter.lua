-- Admits up to ARGV[3] permits a key, for ever: the least that what is not the algorithm's own can be tested with.
local count = tonumber(redis.call('GET', KEYS[1]) or 0)
for i = 4, #ARGV do
  local left = ARGV[3] - count - ARGV[i]
  if left >= 0 then
    count = count + ARGV[i]
    redis.call('SET', KEYS[1], count, 'EX', 60)
  end
  answer(ARGV[3] - count, left >= 0 and 0 or 1, 1)
end
return reply
