package dev.weir.conformance;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.internal.SlidingWindowCounterReference;

/** The reference model keeps every rule. */
@Supports(also = Feature.SHARED_STATE)
class SlidingWindowCounterReferenceTest extends SlidingWindowCounterConformance {

  @Override
  protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
    return new SlidingWindowCounterReference(policy, fixture.clock(), Namespaces.of(fixture));
  }
}
