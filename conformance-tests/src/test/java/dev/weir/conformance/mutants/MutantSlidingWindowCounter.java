package dev.weir.conformance.mutants;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.StoreFailures;
import dev.weir.conformance.Supports;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The suite with every feature, for a skeleton and its mutants. */
@Supports(also = {Feature.SHARED_STATE, Feature.FAILURES, Feature.BOUNDED_STATE})
abstract class MutantSlidingWindowCounter extends SlidingWindowCounterConformance {

  @Override
  protected StoreFailures failures(Fixture fixture) {
    return store(fixture);
  }

  @Override
  protected long retainedKeys(Fixture fixture) {
    return store(fixture)
        .count(ChronoUnit.MICROS.between(Instant.EPOCH, fixture.clock().instant()));
  }

  private static TestStore store(Fixture fixture) {
    return fixture.shared(TestStore.class, TestStore::new);
  }

  /** No fault at all. */
  static final class Correct extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture);
    }
  }
}
