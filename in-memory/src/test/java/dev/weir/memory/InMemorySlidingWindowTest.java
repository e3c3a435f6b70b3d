package dev.weir.memory;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.conformance.Supports;
import java.util.List;

/** {@link InMemorySlidingWindow} keeps every rule. */
@Supports(also = {Feature.SHARED_STATE, Feature.BOUNDED_STATE})
class InMemorySlidingWindowTest extends SlidingWindowConformance {

  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    return Fixtures.create(fixture, options -> InMemorySlidingWindow.create(policy, options));
  }

  @Override
  protected List<RateLimiter> neighbours(Fixture fixture) {
    return Fixtures.allBut(Algorithm.SLIDING_WINDOW_LOG, fixture);
  }

  @Override
  protected long retainedKeys(Fixture fixture) {
    return Fixtures.retainedKeys(fixture);
  }
}
