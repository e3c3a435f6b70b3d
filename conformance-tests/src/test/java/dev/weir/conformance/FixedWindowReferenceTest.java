package dev.weir.conformance;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.internal.FixedWindowReference;

/** The reference model keeps every rule. */
@Supports(also = Feature.SHARED_STATE)
class FixedWindowReferenceTest extends FixedWindowConformance {

  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    return new FixedWindowReference(policy, fixture.clock(), Namespaces.of(fixture));
  }
}
