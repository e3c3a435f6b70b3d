package dev.weir.denialcache;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.Supports;
import dev.weir.memory.InMemorySlidingWindowCounter;

/**
 * A cache of denials keeps every verdict and every wait. What remains it does not know: the
 * estimate falls while a denied request waits.
 */
@Supports(except = {Feature.REMAINING, Feature.EXACT_DECISIONS})
class DenialCachingSlidingWindowCounterTest extends SlidingWindowCounterConformance {

  @Override
  protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
    return Fixtures.cached(
        fixture, options -> InMemorySlidingWindowCounter.create(policy, options));
  }
}
