package dev.weir.conformance;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.internal.TokenBucketReference;

/** The reference model keeps every rule. */
@Supports(also = Feature.SHARED_STATE)
class TokenBucketReferenceTest extends TokenBucketConformance {

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    return new TokenBucketReference(policy, fixture.clock(), Namespaces.of(fixture));
  }
}
