package dev.weir.memory;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Supports;
import java.util.List;

/** {@link InMemoryFixedWindow} keeps every rule. */
@Supports(also = {Feature.SHARED_STATE, Feature.BOUNDED_STATE})
class InMemoryFixedWindowTest extends FixedWindowConformance {

  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    return Fixtures.create(fixture, options -> InMemoryFixedWindow.create(policy, options));
  }

  @Override
  protected List<RateLimiter> neighbours(Fixture fixture) {
    return Fixtures.allBut(Algorithm.FIXED_WINDOW, fixture);
  }

  @Override
  protected long retainedKeys(Fixture fixture) {
    return Fixtures.retainedKeys(fixture);
  }
}
