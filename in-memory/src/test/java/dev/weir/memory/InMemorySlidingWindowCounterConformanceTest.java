package dev.weir.memory;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.Supports;

@Supports(also = {Feature.SHARED_STATE, Feature.NAMESPACES})
class InMemorySlidingWindowCounterConformanceTest extends SlidingWindowCounterConformance {

  @Override
  protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
    return InMemorySlidingWindowCounter.create(
        policy,
        InMemoryOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withStore(fixture.shared(InMemoryStore.class, InMemoryStore::create)));
  }
}
