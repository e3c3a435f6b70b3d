package dev.weir.redis.tokenbucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisLimiterContract;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

class RedisTokenBucketRedisTest extends RedisLimiterContract {

  @Override
  protected RateLimiter create(RedissonClient redisson, Quota quota, RedisOptions options) {
    return RedisTokenBucket.create(redisson, TokenBucketPolicy.of(quota), options);
  }

  @Override
  protected String tag() {
    return "tb";
  }

  @Override
  protected void putForeignValue(RespClient redis, String name) {
    redis.call("SET", name, "hello");
  }

  @Test
  void aDecisionIsOneReadAndOneWriteAndADenialOneRead(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = create(redisson, Quota.parse("10/366d"), RedisOptions.defaults());
    String key = TestRedis.freshNamespace();
    limiter.tryAcquire(key, 5);

    redis.call("CONFIG", "RESETSTAT");
    limiter.tryAcquire(key, 5);
    assertThat(redis.commands()).containsOnly("evalsha 1", "time 1", "get 1", "set 1");

    redis.call("CONFIG", "RESETSTAT");
    limiter.tryAcquire(key, 5);
    assertThat(redis.commands()).containsOnly("evalsha 1", "time 1", "get 1");
    limiter.reset(key);
  }

  @Test
  void aKeyOf25CharactersTakes120BytesAtMost(RedissonClient redisson, RespClient redis) {
    RedisOptions options = RedisOptions.defaults().withNamespace("n");
    String key = "k".repeat(25 - "weir1:tb:n:".length());
    RateLimiter limiter = create(redisson, Quota.parse("1000000000000/366d"), options);

    limiter.tryAcquire(key, 999_999_999_999L);

    long bytes = redis.number("MEMORY", "USAGE", "weir1:tb:n:" + key);
    System.out.println("token bucket: " + bytes + " bytes");
    assertThat(bytes).isLessThanOrEqualTo(120);
    limiter.reset(key);
  }
}
