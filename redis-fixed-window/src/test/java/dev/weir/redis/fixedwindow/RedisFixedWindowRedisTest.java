package dev.weir.redis.fixedwindow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindowPolicy;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisLimiterContract;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

class RedisFixedWindowRedisTest extends RedisLimiterContract {

  @Override
  protected RateLimiter create(RedissonClient redisson, Quota quota, RedisOptions options) {
    return RedisFixedWindow.create(redisson, FixedWindowPolicy.of(quota), options);
  }

  @Override
  protected String tag() {
    return "fw";
  }

  @Override
  protected void putForeignValue(RespClient redis, String name) {
    redis.call("SET", name, "12");
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
  void aKeyLivesTwoWindowsSoThatAStepBackFindsItAgain(RedissonClient redisson, RespClient redis) {
    String namespace = TestRedis.freshNamespace();
    RateLimiter limiter =
        create(redisson, Quota.parse("10/1h"), RedisOptions.defaults().withNamespace(namespace));

    limiter.tryAcquire("k");

    assertThat(redis.number("PTTL", "weir1:fw:" + namespace + ":k"))
        .isBetween(7_140_000L, 7_200_000L);
    limiter.reset("k");
  }

  @Test
  void aKeyOf25CharactersTakes120BytesAtMost(RedissonClient redisson, RespClient redis) {
    RedisOptions options = RedisOptions.defaults().withNamespace("n");
    String key = "k".repeat(25 - "weir1:fw:n:".length());
    RateLimiter limiter = create(redisson, Quota.parse("1000000000000/366d"), options);

    limiter.tryAcquire(key, 999_999_999_999L);

    long bytes = redis.number("MEMORY", "USAGE", "weir1:fw:n:" + key);
    System.out.println("fixed window: " + bytes + " bytes");
    assertThat(bytes).isLessThanOrEqualTo(120);
    limiter.reset(key);
  }
}
