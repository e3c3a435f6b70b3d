package dev.weir;

/**
 * A rate limiter listener is told what became of each request: the decision, or that there was
 * none. {@link ObservedRateLimiter} tells it.
 *
 * <p>Methods run on the thread that got the answer, which for asynchronous requests is one of the
 * store's, and before the caller sees it: they must be quick and must not block. Implementations
 * are safe for use by any number of threads. What a method throws changes no decision; it is
 * logged, the first time as a warning without its message, which may carry the key.
 *
 * <p>Keys come from clients: there may be any number of them, and they can be secrets. Whoever
 * keeps something for each key must bound it.
 */
public interface RateLimiterListener {

  /**
   * Called when a request was admitted or denied. Does nothing by default.
   *
   * @param key what is limited
   * @param permits how many permits were asked for
   * @param decision the decision
   * @param nanos how long it took from the request to the decision, in nanoseconds
   */
  default void onDecision(String key, long permits, Decision decision, long nanos) {}

  /**
   * Called when a request got no decision. Does nothing by default.
   *
   * @param key what is limited
   * @param permits how many permits were asked for
   * @param exception what the caller gets
   * @param nanos how long it took from the request to the failure, in nanoseconds
   */
  default void onUnavailable(
      String key, long permits, RateLimiterUnavailableException exception, long nanos) {}
}
