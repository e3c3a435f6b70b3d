package dev.weir.denialcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.slidingwindow.RedisSlidingWindow;
import dev.weir.redis.testing.RedisExtension;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import dev.weir.redis.tokenbucket.RedisTokenBucket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.api.RedissonClient;

@ExtendWith(RedisExtension.class)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DenialCachingOnRedisTest {

  private final RedisOptions options =
      RedisOptions.defaults()
          .withNamespace(TestRedis.freshNamespace())
          .withTimeout(Duration.ofSeconds(20));

  @Test
  void aThousandDeniedRequestsAreOneScriptCallOfTheLog(RedissonClient redisson, RespClient redis) {
    aThousandDeniedRequestsAreOneScriptCall(
        RedisSlidingWindow.create(
            redisson, SlidingWindowPolicy.of(3, Duration.ofHours(1)), options),
        redis);
  }

  @Test
  void aThousandDeniedRequestsAreOneScriptCallOfTheBucket(
      RedissonClient redisson, RespClient redis) {
    aThousandDeniedRequestsAreOneScriptCall(
        RedisTokenBucket.create(redisson, TokenBucketPolicy.of(3, 1, Duration.ofHours(1)), options),
        redis);
  }

  private static void aThousandDeniedRequestsAreOneScriptCall(RateLimiter store, RespClient redis) {
    RateLimiter limiter = DenialCachingRateLimiter.of(store);
    assertThat(limiter.tryAcquire("key", 3).allowed()).isTrue();

    redis.call("CONFIG", "RESETSTAT");
    Decision denial = limiter.tryAcquire("key", 2);
    Decision cached = denial;
    for (int i = 0; i < 1_000; i++) {
      cached = limiter.tryAcquire("key", 2);
      assertThat(cached.allowed()).isFalse();
    }
    assertThat(redis.commands()).contains("evalsha 1");

    Decision later = store.peek("key", 2);
    assertThat(cached.retryAfter()).isBetween(later.retryAfter(), denial.retryAfter());
    assertThat(cached.resetAfter()).isBetween(later.resetAfter(), denial.resetAfter());
    limiter.reset("key");
    assertThat(limiter.tryAcquire("key", 3).allowed()).isTrue();
    limiter.reset("key");
  }

  @Test
  void aRequestThatDidAsItWasToldIsAdmitted(RedissonClient redisson) {
    VirtualClock clock = new VirtualClock();
    RateLimiter limiter =
        DenialCachingRateLimiter.builder(
                RedisTokenBucket.create(
                    redisson,
                    TokenBucketPolicy.of(7, 3, Duration.ofSeconds(1)),
                    options.withClock(clock)))
            .clock(clock)
            .build();
    limiter.tryAcquire("key", 7);
    limiter.tryAcquire("key", 2);
    clock.advance(Duration.ofMillis(123));
    Decision cached = limiter.tryAcquire("key", 2);
    clock.advance(cached.retryAfter().minusNanos(1_000));
    assertThat(limiter.tryAcquire("key", 2).allowed()).isFalse();
    clock.move(1_000);
    assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();
    limiter.reset("key");
  }
}
