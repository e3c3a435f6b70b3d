package dev.weir.servlet;

import dev.weir.Decision;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A rejection is why a request does not pass.
 *
 * @param status the status of the answer: 429 if the quota is used up, 503 if the limiter had no
 *     answer
 * @param policy the name of the policy that did not let the request pass
 * @param retryAfterSeconds the value of {@code Retry-After}, at least 1; empty if the request can
 *     never be admitted
 * @param decision the limiter's decision; null if it had no answer
 */
public record Rejection(
    int status, String policy, OptionalLong retryAfterSeconds, @Nullable Decision decision) {

  /**
   * Checks the components.
   *
   * @param status the component of that name
   * @param policy the component of that name
   * @param retryAfterSeconds the component of that name
   * @param decision the component of that name
   * @throws NullPointerException if {@code policy} or {@code retryAfterSeconds} is null
   */
  public Rejection {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(retryAfterSeconds, "retryAfterSeconds");
  }
}
