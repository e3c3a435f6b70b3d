package dev.weir.conformance;

/**
 * A feature is an ability that a limiter may promise or not.
 *
 * <p>What a limiter promises is declared by {@link Supports}. A rule about a feature that is not
 * declared is skipped, with the reason; a feature that is declared and broken is a failure.
 */
public enum Feature {
  /** The limiter reads the time from {@link Fixture#clock()}; without it no test can move time. */
  VIRTUAL_TIME("decides by the clock of the fixture"),
  /** One request may ask for several permits. */
  WEIGHTS("takes requests for several permits"),
  /** A request for more than the limit is denied, and told that it can never be admitted. */
  OVERSIZE("refuses requests over the limit for ever"),
  /** {@code remaining} is exact. */
  REMAINING("tells exactly what remains"),
  /** {@code retryAfter} is long enough. */
  RETRY_AFTER("tells a wait that is long enough"),
  /** {@code retryAfter} is the shortest wait there is. */
  EXACT_RETRY_AFTER("tells the shortest wait"),
  /** {@code resetAfter} is long enough. */
  RESET_AFTER("tells a wait after which the key is as new"),
  /** {@code resetAfter} is the shortest such wait. */
  EXACT_RESET_AFTER("tells the shortest wait after which the key is as new"),
  /** {@code peek} answers. */
  PEEK("answers without taking"),
  /** {@code reset} forgets. */
  RESET("forgets a key on demand"),
  /** The limiter keeps its bounds when the clock is set back or forward. */
  CLOCK_STEPS("stands clocks that step"),
  /** {@link Fixture#namespace()} separates limiters on one store. */
  NAMESPACES("keeps namespaces apart"),
  /** Two limiters that are created with one fixture share their state. */
  SHARED_STATE("shares state between limiters of one store and namespace"),
  /** Every decision is the reference model's. */
  EXACT_DECISIONS("decides exactly as the reference model"),
  /** The store can be made to fail: {@link RateLimiterConformance#failures} is overridden. */
  FAILURES("has a store whose failures can be staged"),
  /** Idle state is released: {@link RateLimiterConformance#retainedKeys} is overridden. */
  BOUNDED_STATE("releases idle state");

  private final String ability;

  Feature(String ability) {
    this.ability = ability;
  }

  /**
   * Returns what a limiter with this feature does, as a phrase without a subject.
   *
   * @return such as {@code forgets a key on demand}
   */
  public String ability() {
    return ability;
  }
}
