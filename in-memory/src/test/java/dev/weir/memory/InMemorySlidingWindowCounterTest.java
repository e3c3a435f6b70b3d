package dev.weir.memory;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.Supports;
import java.util.List;

/** {@link InMemorySlidingWindowCounter} keeps every rule. */
@Supports(also = {Feature.SHARED_STATE, Feature.BOUNDED_STATE})
class InMemorySlidingWindowCounterTest extends SlidingWindowCounterConformance {

  @Override
  protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
    return Fixtures.create(
        fixture, options -> InMemorySlidingWindowCounter.create(policy, options));
  }

  @Override
  protected List<RateLimiter> neighbours(Fixture fixture) {
    return Fixtures.allBut(Algorithm.SLIDING_WINDOW_COUNTER, fixture);
  }

  @Override
  protected long retainedKeys(Fixture fixture) {
    return Fixtures.retainedKeys(fixture);
  }
}
