package dev.weir.servlet;

import dev.weir.Decision;
import org.jspecify.annotations.Nullable;

/**
 * What one policy decided about a request.
 *
 * @param policy the name of the policy
 * @param quotedName the name as a structured field has it
 * @param policyItem the item of {@code RateLimit-Policy}
 * @param decision the decision
 */
record Verdict(String policy, String quotedName, String policyItem, Decision decision) {

  private static final int TOO_MANY_REQUESTS = 429;

  /** The item of {@code RateLimit}. */
  String limitItem() {
    return RateLimitFields.limitItem(quotedName, decision);
  }

  @Nullable Rejection rejection() {
    return decision.allowed()
        ? null
        : new Rejection(TOO_MANY_REQUESTS, policy, RateLimitFields.retryAfter(decision), decision);
  }

  boolean isTighterThan(Verdict other) {
    return !decision.allowed()
        || (other.decision.allowed() && decision.remaining() < other.decision.remaining());
  }
}
