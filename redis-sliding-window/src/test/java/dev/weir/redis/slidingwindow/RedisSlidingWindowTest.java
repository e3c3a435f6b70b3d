package dev.weir.redis.slidingwindow;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.conformance.Supports;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;

@Supports(also = Feature.SHARED_STATE)
class RedisSlidingWindowTest extends SlidingWindowConformance {

  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    RedisOptions options =
        RedisOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withTimeout(Duration.ofSeconds(20));
    return RedisSlidingWindow.create(TestRedis.redisson(), policy, options);
  }
}
