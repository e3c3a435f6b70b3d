package dev.weir.conformance.internal;

import dev.weir.FixedWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import java.util.EnumSet;

/** Scenarios as the suite makes them for a limiter with every feature. */
public final class ComposedScenarios {

  private ComposedScenarios() {}

  /** The scenario of a draft. */
  public static Scenario of(FixedWindowPolicy policy, Rule rule, Draft draft) {
    return Composer.compose(
        new Case<>(new ReferenceSubject(EnumSet.allOf(Feature.class)), policy), rule, draft);
  }
}
