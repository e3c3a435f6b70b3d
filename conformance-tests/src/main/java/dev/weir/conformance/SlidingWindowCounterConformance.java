package dev.weir.conformance;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.SlidingWindowCounterReference;
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
 * The rules for a limiter whose algorithm is the sliding window counter: those of every limiter,
 * and the comparison of every decision with the reference model.
 *
 * <p>An author overrides {@link #create(dev.weir.Policy, Fixture)}; the policies are given.
 */
public abstract class SlidingWindowCounterConformance
    extends RateLimiterConformance<SlidingWindowCounterPolicy> {

  /** Creates the suite. */
  protected SlidingWindowCounterConformance() {}

  /**
   * Returns policies with limits from 1 to 5, and extreme ones; a limiter that supports less
   * overrides this.
   *
   * @return the policies
   */
  @Override
  protected List<SlidingWindowCounterPolicy> policies() {
    List<SlidingWindowCounterPolicy> policies = new ArrayList<>();
    for (Duration window :
        List.of(
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(1),
            Duration.of(999_983, ChronoUnit.MICROS))) {
      for (int limit = 1; limit <= 5; limit++) {
        policies.add(SlidingWindowCounterPolicy.of(limit, window));
      }
    }
    policies.add(SlidingWindowCounterPolicy.of(100, Duration.ofMinutes(1)));
    policies.add(SlidingWindowCounterPolicy.of(3, Duration.ofDays(366)));
    policies.add(SlidingWindowCounterPolicy.of(999_999_999_999L, Duration.ofMillis(1)));
    // The product of a count and a part of the window does not fit into a double.
    policies.add(SlidingWindowCounterPolicy.of(1_000_003, Duration.ofDays(1)));
    policies.add(
        SlidingWindowCounterPolicy.of(
            1_000_000_000_000L, Duration.of(31_622_399_999_999L, ChronoUnit.MICROS)));
    return policies;
  }

  @Override
  protected Optional<SlidingWindowCounterPolicy> withLimit(
      SlidingWindowCounterPolicy policy, long limit) {
    return Optional.of(SlidingWindowCounterPolicy.of(limit, policy.window()));
  }

  /**
   * Returns the window: to it the windows are aligned.
   *
   * @param policy the policy
   * @return the window
   */
  @Override
  protected Duration alignment(SlidingWindowCounterPolicy policy) {
    return policy.window();
  }

  @Override
  Optional<SlidingWindowCounterReference> reference(
      SlidingWindowCounterPolicy policy, InstantSource clock) {
    return Optional.of(new SlidingWindowCounterReference(policy, clock, new HashMap<>()));
  }

  @Verifies(Rule.SLIDING_WINDOW_COUNTER_MODEL)
  @Requires({Feature.VIRTUAL_TIME, Feature.EXACT_DECISIONS})
  void rule11_1_decidesAsTheModel(@Generated Draft draft) {
    verify(Rule.SLIDING_WINDOW_COUNTER_MODEL, draft);
  }
}
