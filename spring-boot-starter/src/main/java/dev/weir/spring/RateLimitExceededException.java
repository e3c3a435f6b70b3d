package dev.weir.spring;

import dev.weir.Decision;
import java.util.Objects;

/**
 * Thrown instead of calling a method that is {@link RateLimited} when its policy denies the call.
 *
 * <p>The message names the policy and never the key.
 */
public class RateLimitExceededException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The name of the policy. */
  private final String policy;

  private final transient Decision decision;

  /**
   * Creates the exception.
   *
   * @param policy the name of the policy
   * @param decision the limiter's decision, not allowed
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the decision is allowed
   */
  public RateLimitExceededException(String policy, Decision decision) {
    super(message(policy, decision));
    this.policy = policy;
    this.decision = decision;
  }

  private static String message(String policy, Decision decision) {
    Objects.requireNonNull(policy, "policy");
    if (decision.allowed()) {
      throw new IllegalArgumentException("decision is allowed, must be denied");
    }
    return "policy '"
        + policy
        + "' denies the call, "
        + (decision.retryAfter().equals(Decision.NEVER)
            ? "which costs more than the limit of " + decision.limit()
            : "retry after " + decision.retryAfter());
  }

  /**
   * Returns the name of the policy that denied the call.
   *
   * @return the name
   */
  public String policy() {
    return policy;
  }

  /**
   * Returns the decision.
   *
   * @return the limiter's decision, not allowed; null in an exception that was deserialised
   */
  public Decision decision() {
    return decision;
  }
}
