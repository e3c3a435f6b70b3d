package dev.weir.redis.fixedwindow;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Supports;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;

@Supports(also = Feature.SHARED_STATE)
class RedisFixedWindowTest extends FixedWindowConformance {

  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    RedisOptions options =
        RedisOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withTimeout(Duration.ofSeconds(20));
    return RedisFixedWindow.create(TestRedis.redisson(), policy, options);
  }
}
