package dev.weir.denialcache;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Fixture;
import dev.weir.memory.InMemoryFixedWindow;

/**
 * A cache of denials around the fixed window keeps what the window keeps: nothing comes back before
 * a denied request would fit.
 */
class DenialCachingFixedWindowTest extends FixedWindowConformance {

  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    return Fixtures.cached(fixture, options -> InMemoryFixedWindow.create(policy, options));
  }
}
