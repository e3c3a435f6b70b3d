package dev.weir.conformance;

import dev.weir.FixedWindowPolicy;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.FixedWindowReference;
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
 * The rules for a limiter whose algorithm is the fixed window: those of every limiter, and the
 * comparison of every decision with the reference model.
 *
 * <p>An author overrides {@link #create(dev.weir.Policy, Fixture)}; the policies are given.
 */
public abstract class FixedWindowConformance extends RateLimiterConformance<FixedWindowPolicy> {

  /** Creates the suite. */
  protected FixedWindowConformance() {}

  /**
   * Returns policies with limits from 1 to 5, and extreme ones; a limiter that supports less
   * overrides this.
   *
   * @return the policies
   */
  @Override
  protected List<FixedWindowPolicy> policies() {
    List<FixedWindowPolicy> policies = new ArrayList<>();
    for (Duration window :
        List.of(
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(1),
            Duration.of(999_983, ChronoUnit.MICROS))) {
      for (int limit = 1; limit <= 5; limit++) {
        policies.add(FixedWindowPolicy.of(limit, window));
      }
    }
    policies.add(FixedWindowPolicy.of(100, Duration.ofMinutes(1)));
    policies.add(FixedWindowPolicy.of(3, Duration.ofDays(366)));
    policies.add(FixedWindowPolicy.of(999_999_999_999L, Duration.ofMillis(1)));
    policies.add(FixedWindowPolicy.of(1_000_000_000_000L, Duration.ofDays(366)));
    return policies;
  }

  @Override
  protected Optional<FixedWindowPolicy> withLimit(FixedWindowPolicy policy, long limit) {
    return Optional.of(FixedWindowPolicy.of(limit, policy.window()));
  }

  @Override
  Optional<FixedWindowReference> reference(FixedWindowPolicy policy, InstantSource clock) {
    return Optional.of(new FixedWindowReference(policy, clock, new HashMap<>()));
  }

  @Verifies(Rule.FIXED_WINDOW_MODEL)
  @Requires({Feature.VIRTUAL_TIME, Feature.EXACT_DECISIONS})
  void rule8_1_decidesAsTheModel(@Generated Draft draft) {
    verify(Rule.FIXED_WINDOW_MODEL, draft);
  }
}
