package dev.weir.redis.slidingwindow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisLimiterContract;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

class RedisSlidingWindowCounterRedisTest extends RedisLimiterContract {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  @Override
  protected RateLimiter create(RedissonClient redisson, Quota quota, RedisOptions options) {
    return RedisSlidingWindowCounter.create(
        redisson, SlidingWindowCounterPolicy.of(quota), options);
  }

  @Override
  protected String tag() {
    return "swc";
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
  void aKeyLivesForTwoWindowsAfterItsLastAdmission(RedissonClient redisson, RespClient redis) {
    String key = TestRedis.freshNamespace();
    RateLimiter limiter =
        create(redisson, Quota.parse("10/1h"), RedisOptions.defaults().withNamespace("n"));

    limiter.tryAcquire(key);

    assertThat(redis.number("PTTL", "weir1:swc:n:" + key)).isBetween(2 * HOUR - MINUTE, 2 * HOUR);
    limiter.reset(key);
  }

  @Test
  void aKeyLivesLongerByTheLagOfTheClock(RedissonClient redisson, RespClient redis) {
    Instant[] now = {Instant.parse("2026-06-01T12:00:00Z")};
    String key = TestRedis.freshNamespace();
    RateLimiter limiter =
        create(
            redisson,
            Quota.parse("10/1h"),
            RedisOptions.defaults().withNamespace("n").withClock(() -> now[0]));
    limiter.tryAcquire(key);

    now[0] = now[0].minusSeconds(5_400);
    limiter.tryAcquire(key);

    assertThat(redis.number("PTTL", "weir1:swc:n:" + key))
        .isBetween(7 * HOUR / 2 - MINUTE, 7 * HOUR / 2);
    limiter.reset(key);
  }

  @Test
  void aKeyOf25CharactersTakes124BytesAtMost(RedissonClient redisson, RespClient redis) {
    Duration window = Duration.ofDays(366);
    Instant[] now = {Instant.EPOCH.plus(window.multipliedBy(200)).minusMillis(1)};
    RedisOptions options = RedisOptions.defaults().withNamespace("n").withClock(() -> now[0]);
    String key = "k".repeat(25 - "weir1:swc:n:".length());
    RateLimiter limiter = create(redisson, Quota.parse("1000000000000/366d"), options);

    limiter.tryAcquire(key, 1_000_000_000_000L);
    now[0] = now[0].plus(window);
    assertThat(limiter.tryAcquire(key, 900_000_000_000L).allowed()).isTrue();

    assertThat(redis.number("MEMORY", "USAGE", "weir1:swc:n:" + key)).isLessThanOrEqualTo(124);
    limiter.reset(key);
  }
}
