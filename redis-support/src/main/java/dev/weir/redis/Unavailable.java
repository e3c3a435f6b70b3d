package dev.weir.redis;

import dev.weir.RateLimiterUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisResponseTimeoutException;

/** The ways in which Redis gives no decision, each as the exception that says so. */
final class Unavailable {

  private static final Pattern SERVER_CODE = Pattern.compile("[A-Z][A-Z0-9_]+(?= |$)");

  private Unavailable() {}

  static RateLimiterUnavailableException timedOut(Duration timeout) {
    return timedOut(timeout, null);
  }

  private static RateLimiterUnavailableException timedOut(
      Duration timeout, @Nullable Failure cause) {
    return new RateLimiterUnavailableException(
        "Redis did not answer within " + timeout.toMillis() + " ms", cause);
  }

  static RateLimiterUnavailableException interrupted(InterruptedException e) {
    return new RateLimiterUnavailableException("interrupted while waiting for Redis", e);
  }

  static RateLimiterUnavailableException tooManyWaiting(int bound) {
    return new RateLimiterUnavailableException(
        "as many callers as RedisOptions.maxWaiting allows, " + bound + ", wait for Redis already",
        null);
  }

  static RateLimiterUnavailableException unreadable(String what) {
    return new RateLimiterUnavailableException("Redis answered with " + what, null);
  }

  /**
   * What Redisson reported.
   *
   * @param timeout the time that Redisson had for it: the callers', so either may end first
   */
  static RateLimiterUnavailableException failed(Throwable failure, Duration timeout) {
    Throwable reported = unwrap(failure);
    Failure cause = Failure.copyOf(reported);
    return reported instanceof RedisResponseTimeoutException
        ? timedOut(timeout, cause)
        : new RateLimiterUnavailableException("Redis failed: " + cause.getMessage(), cause);
  }

  /** Returns the failure of a stage without the wrappings that stages put around it. */
  static Throwable unwrap(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * A copy of a failure that keeps its class, the server's error code and its stack, and drops its
   * message: Redisson's messages carry the keys and arguments of commands, and keys can be secrets.
   */
  private static final class Failure extends Exception {

    private static final long serialVersionUID = 1L;

    private Failure(String message, @Nullable Failure cause) {
      super(message, cause, false, true);
    }

    static Failure copyOf(Throwable original) {
      Throwable cause = original.getCause();
      Failure copy =
          new Failure(
              original.getClass().getName() + code(original.getMessage()),
              cause == null ? null : copyOf(cause));
      copy.setStackTrace(original.getStackTrace());
      return copy;
    }

    private static String code(@Nullable String message) {
      Matcher matcher = SERVER_CODE.matcher(message == null ? "" : message);
      return matcher.lookingAt() ? ": " + matcher.group() : "";
    }
  }
}
