package dev.weir.memory;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import java.util.List;

/** {@link InMemoryTokenBucket} keeps every rule. */
@Supports(also = {Feature.SHARED_STATE, Feature.BOUNDED_STATE})
class InMemoryTokenBucketTest extends TokenBucketConformance {

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    return Fixtures.create(fixture, options -> InMemoryTokenBucket.create(policy, options));
  }

  @Override
  protected List<RateLimiter> neighbours(Fixture fixture) {
    return Fixtures.allBut(Algorithm.TOKEN_BUCKET, fixture);
  }

  @Override
  protected long retainedKeys(Fixture fixture) {
    return Fixtures.retainedKeys(fixture);
  }
}
