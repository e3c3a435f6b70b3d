package dev.weir.redis.slidingwindow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisExtension;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.api.RedissonClient;

@ExtendWith(RedisExtension.class)
class RedisSlidingWindowCounterProviderTest {

  private static final Quota QUOTA = Quota.parse("3/1h");

  @Test
  void theNameMakesALimiterOfTheQuota(RedissonClient redisson) {
    RateLimiter limiter =
        RateLimiters.create(
            "redis",
            "sliding-window-counter",
            QUOTA,
            context().with(RedissonClient.class, redisson));

    assertThat(limiter).isInstanceOf(RedisSlidingWindowCounter.class);
    assertThat(limiter.policy()).isEqualTo(SlidingWindowCounterPolicy.of(QUOTA));
    assertThat(limiter.tryAcquire("key", 3).allowed()).isTrue();
    assertThat(limiter.tryAcquire("key").allowed()).isFalse();
  }

  @Test
  void theClockOfTheContextIsRead(RedissonClient redisson) {
    Instant[] now = {Instant.EPOCH};
    RateLimiter limiter =
        RateLimiters.create(
            "redis",
            "sliding-window-counter",
            QUOTA,
            context().with(RedissonClient.class, redisson).withClock(() -> now[0]));

    limiter.tryAcquire("key", 3);
    now[0] = now[0].plus(limiter.peek("key").resetAfter());

    assertThat(limiter.tryAcquire("key", 3).allowed()).isTrue();
    limiter.reset("key");
  }

  @Test
  void aContextWithoutAClientIsRefused() {
    assertThatThrownBy(
            () -> RateLimiters.create("redis", "sliding-window-counter", QUOTA, context()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("org.redisson.api.RedissonClient");
  }

  private static ProviderContext context() {
    return ProviderContext.of(TestRedis.freshNamespace())
        .with(RedisOptions.class, RedisOptions.defaults().withTimeout(Duration.ofSeconds(20)));
  }
}
