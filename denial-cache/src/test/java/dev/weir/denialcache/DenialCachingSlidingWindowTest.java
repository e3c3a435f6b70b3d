package dev.weir.denialcache;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.conformance.Supports;
import dev.weir.memory.InMemorySlidingWindow;

/**
 * A cache of denials keeps every verdict and every wait. What remains it does not know: some
 * permits may leave the window before those that a denied request waits for.
 */
@Supports(except = {Feature.REMAINING, Feature.EXACT_DECISIONS})
class DenialCachingSlidingWindowTest extends SlidingWindowConformance {

  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    return Fixtures.cached(fixture, options -> InMemorySlidingWindow.create(policy, options));
  }
}
