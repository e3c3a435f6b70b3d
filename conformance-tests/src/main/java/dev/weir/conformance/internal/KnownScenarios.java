package dev.weir.conformance.internal;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import dev.weir.internal.Micros;
import java.util.List;

/** Scenarios that are always run, because chance would need too long to come upon them. */
final class KnownScenarios {

  private KnownScenarios() {}

  static List<Scenario> of(Case<?> c, Rule rule) {
    long limit = c.limit();
    String life = Notation.duration(c.policy().life());
    if (rule == Rule.SLIDING_WINDOW_MODEL
        && c.policy() instanceof SlidingWindowPolicy
        && limit > 999_999_999_000L
        && c.life() == 1_000
        && c.has(Feature.WEIGHTS)) {
      // A log kept as running totals passes 2^53, where a double skips odd numbers.
      return List.of(
          Scenario.parse(
              "from 2026-01-01T00:00:00Z: repeat 9008 (acquire a "
                  + limit
                  + "; advance "
                  + life
                  + "); acquire a 1; acquire a 1; acquire a 1; acquire a "
                  + limit));
    }
    if ((rule == Rule.BACKWARD_CLOCK || rule == Rule.SLIDING_WINDOW_COUNTER_MODEL)
        && c.policy() instanceof SlidingWindowCounterPolicy policy
        && limit >= 3
        && limit <= 5
        && c.tick() == 1
        && c.has(Feature.WEIGHTS)
        && c.has(Feature.CLOCK_STEPS)) {
      // Far back to right before a border, where a previous count would weigh next to nothing.
      long window = Micros.of(policy.window());
      long firstFree = window - (limit - 1) * window / limit;
      return List.of(
          Scenario.parse(
              "from 2026-01-01T00:00:00Z: advance to border-1us; acquire a "
                  + limit
                  + "; advance "
                  + Notation.duration(Times.duration(firstFree + 1))
                  + "; acquire a 1; back "
                  + Notation.duration(Times.duration(3 * c.life() + firstFree + 1))
                  + "; acquire a "
                  + (limit - 2)));
    }
    return List.of();
  }
}
