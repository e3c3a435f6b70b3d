package dev.weir;

import java.time.Duration;
import java.util.Objects;

/**
 * A decision is a limiter's answer to one request.
 *
 * @param allowed whether the request is admitted
 * @param limit the policy's limit, at least 1
 * @param remaining permits left right after this decision: so many more would be admitted at the
 *     same instant and one more would not; from 0 to {@code limit}
 * @param retryAfter the shortest wait after which this very request could be admitted if nobody
 *     else asks; zero exactly when allowed, {@link #NEVER} when the request exceeds the limit
 * @param resetAfter the wait after which the key is as new if nobody asks; zero if it is so now
 */
public record Decision(
    boolean allowed, long limit, long remaining, Duration retryAfter, Duration resetAfter) {

  /** The {@link #retryAfter()} of a request that can never be admitted, the longest duration. */
  public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  /**
   * Checks the components against each other.
   *
   * @param allowed the component of that name
   * @param limit the component of that name
   * @param remaining the component of that name
   * @param retryAfter the component of that name
   * @param resetAfter the component of that name
   * @throws NullPointerException if a duration is null
   * @throws IllegalArgumentException if {@code limit} is below 1, {@code remaining} is not between
   *     0 and {@code limit}, a duration is negative, or {@code retryAfter} is not zero exactly when
   *     {@code allowed}
   */
  public Decision {
    Objects.requireNonNull(retryAfter, "retryAfter");
    Objects.requireNonNull(resetAfter, "resetAfter");
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + ", must be at least 1");
    }
    if (remaining < 0 || remaining > limit) {
      throw new IllegalArgumentException(
          "remaining is " + remaining + ", must be from 0 to the limit of " + limit);
    }
    if (retryAfter.isNegative() || allowed != retryAfter.isZero()) {
      throw new IllegalArgumentException(
          "retryAfter is " + retryAfter + ", must be " + (allowed ? "zero" : "above zero"));
    }
    if (resetAfter.isNegative()) {
      throw new IllegalArgumentException("resetAfter is " + resetAfter + ", must not be negative");
    }
  }

  /**
   * Returns the decision that admits a request.
   *
   * @param limit the policy's limit, at least 1
   * @param remaining permits left after this request, from 0 to {@code limit}
   * @param resetAfter the wait after which the key is as new
   * @return a decision that is allowed
   * @throws NullPointerException if {@code resetAfter} is null
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public static Decision admitted(long limit, long remaining, Duration resetAfter) {
    return new Decision(true, limit, remaining, Duration.ZERO, resetAfter);
  }

  /**
   * Returns the decision that denies a request.
   *
   * @param limit the policy's limit, at least 1
   * @param remaining permits left, from 0 to {@code limit}
   * @param retryAfter the shortest wait after which this request could be admitted, above zero;
   *     {@link #NEVER} if it cannot
   * @param resetAfter the wait after which the key is as new
   * @return a decision that is not allowed
   * @throws NullPointerException if a duration is null
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public static Decision denied(
      long limit, long remaining, Duration retryAfter, Duration resetAfter) {
    return new Decision(false, limit, remaining, retryAfter, resetAfter);
  }
}
