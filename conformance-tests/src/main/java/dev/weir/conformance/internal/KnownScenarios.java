package dev.weir.conformance.internal;

import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
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
        && c.life() == 1_000) {
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
    return List.of();
  }
}
