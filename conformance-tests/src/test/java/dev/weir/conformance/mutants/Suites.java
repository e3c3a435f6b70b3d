package dev.weir.conformance.mutants;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Violation;
import java.util.Map;

/** Runs suites within tests. */
public final class Suites {

  private Suites() {}

  /** The violations that a suite finds with a seed, by rule. */
  public static Map<Rule, Violation> run(Class<?> suite, long seed) {
    return KillRun.of(suite, seed);
  }
}
