package dev.weir;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a limiter's store gave no answer, so that there is no decision.
 *
 * <p>What was asked may or may not have happened, at most once: permits may have been taken. It is
 * the caller's choice whether to admit or to deny then. Neither the message nor the cause carries
 * the key, for keys can be secrets.
 */
public class RateLimiterUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what did not answer, and how it failed
   * @param cause what the store or the connection reported, or null
   */
  public RateLimiterUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
