package dev.weir.conformance;

import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.SlidingWindowReference;
import dev.weir.conformance.internal.jqwik.Generated;
import dev.weir.conformance.internal.jqwik.Verifies;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * The rules for a limiter whose algorithm is the sliding window log: those of every limiter, and
 * the comparison of every decision with the reference model.
 *
 * <p>An author overrides {@link #create(dev.weir.Policy, Fixture)}; the policies are given.
 */
public abstract class SlidingWindowConformance extends RateLimiterConformance<SlidingWindowPolicy> {

  /** Creates the suite. */
  protected SlidingWindowConformance() {}

  /**
   * Returns policies with limits from 1 to 5, and extreme ones; a limiter that supports less
   * overrides this.
   *
   * @return the policies
   */
  @Override
  protected List<SlidingWindowPolicy> policies() {
    List<SlidingWindowPolicy> policies = new ArrayList<>();
    for (Duration window :
        List.of(
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(1),
            Duration.of(999_983, ChronoUnit.MICROS))) {
      for (int limit = 1; limit <= 5; limit++) {
        policies.add(SlidingWindowPolicy.of(limit, window));
      }
    }
    policies.add(SlidingWindowPolicy.of(100, Duration.ofMinutes(1)));
    policies.add(SlidingWindowPolicy.of(3, Duration.ofDays(366)));
    policies.add(SlidingWindowPolicy.of(999_999_999_999L, Duration.ofMillis(1)));
    policies.add(SlidingWindowPolicy.of(1_000_000_000_000L, Duration.ofDays(366)));
    return policies;
  }

  @Override
  protected Optional<SlidingWindowPolicy> withLimit(SlidingWindowPolicy policy, long limit) {
    return Optional.of(SlidingWindowPolicy.of(limit, policy.window()));
  }

  /**
   * Returns one microsecond: a trace can be shifted by any time.
   *
   * @param policy the policy
   * @return one microsecond
   */
  @Override
  protected Duration alignment(SlidingWindowPolicy policy) {
    return Duration.of(1, ChronoUnit.MICROS);
  }

  @Override
  Optional<SlidingWindowReference> reference(SlidingWindowPolicy policy, InstantSource clock) {
    return Optional.of(new SlidingWindowReference(policy, clock, new HashMap<>()));
  }

  @Verifies(Rule.SLIDING_WINDOW_MODEL)
  @Requires({Feature.VIRTUAL_TIME, Feature.EXACT_DECISIONS})
  void rule9_1_decidesAsTheModel(@Generated Draft draft) {
    verify(Rule.SLIDING_WINDOW_MODEL, draft);
  }
}
