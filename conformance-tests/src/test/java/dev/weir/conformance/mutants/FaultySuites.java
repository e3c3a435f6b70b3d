package dev.weir.conformance.mutants;

import dev.weir.conformance.RateLimiterConformance;

/** Suites of mutants for other tests. */
public final class FaultySuites {

  private FaultySuites() {}

  /** The suite of a limiter that counts denied requests. */
  public static RateLimiterConformance<?> countsDenials() {
    return new FixedWindowMutants.CountsDenials();
  }

  /** The same with the fault mended. */
  public static RateLimiterConformance<?> countsAdmissionsOnly() {
    return new MutantFixedWindow.Correct();
  }
}
