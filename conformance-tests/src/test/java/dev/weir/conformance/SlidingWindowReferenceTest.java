package dev.weir.conformance;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.internal.SlidingWindowReference;

/** The reference model keeps every rule. */
@Supports(also = Feature.SHARED_STATE)
class SlidingWindowReferenceTest extends SlidingWindowConformance {

  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    return new SlidingWindowReference(policy, fixture.clock(), Namespaces.of(fixture));
  }
}
