package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.RateLimiterUnavailableException;
import jakarta.servlet.http.HttpServletRequest;

/**
 * A listener is told what a filter decides, for metrics and logs.
 *
 * <p>It is called in the request's thread, before the request goes on, so it must be quick. What it
 * throws changes nothing; it is logged, the first time as a warning without its message, which may
 * carry the key. Implementations are called by many threads at once.
 */
public interface RateLimitListener {

  /**
   * Called after each decision.
   *
   * @param request the request
   * @param policy the name of the policy
   * @param key the key that was counted; it may be personal data
   * @param decision the limiter's decision
   */
  default void onDecision(
      HttpServletRequest request, String policy, String key, Decision decision) {}

  /**
   * Called when a limiter, or its fallback, had no answer.
   *
   * @param request the request
   * @param policy the name of the policy
   * @param key the key that was asked about; it may be personal data
   * @param cause what the limiter threw
   */
  default void onUnavailable(
      HttpServletRequest request,
      String policy,
      String key,
      RateLimiterUnavailableException cause) {}
}
