package dev.weir.redis.slidingwindow;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.Supports;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;

@Supports(also = Feature.SHARED_STATE)
class RedisSlidingWindowCounterTest extends SlidingWindowCounterConformance {

  @Override
  protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
    RedisOptions options =
        RedisOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withTimeout(Duration.ofSeconds(20));
    return RedisSlidingWindowCounter.create(TestRedis.redisson(), policy, options);
  }
}
