package dev.weir.denialcache;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import dev.weir.memory.InMemoryTokenBucket;

/**
 * A cache of denials keeps every verdict and every wait. What remains it does not know: tokens flow
 * in while a denied request waits.
 */
@Supports(except = {Feature.REMAINING, Feature.EXACT_DECISIONS})
class DenialCachingTokenBucketTest extends TokenBucketConformance {

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    return Fixtures.cached(fixture, options -> InMemoryTokenBucket.create(policy, options));
  }
}
