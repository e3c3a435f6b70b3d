package dev.weir.redis.tokenbucket;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;

@Supports(also = Feature.SHARED_STATE)
class RedisTokenBucketTest extends TokenBucketConformance {

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    RedisOptions options =
        RedisOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withTimeout(Duration.ofSeconds(20));
    return RedisTokenBucket.create(TestRedis.redisson(), policy, options);
  }
}
