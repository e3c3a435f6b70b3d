package dev.weir.internal;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** What the decorators need around the stages of the limiters they decorate. */
public final class Stages {

  private Stages() {}

  /**
   * Asks a limiter. One that throws its unavailability, where it should complete the stage with it,
   * is understood as well.
   */
  public static CompletionStage<Decision> ask(RateLimiter limiter, String key, long permits) {
    try {
      return limiter.tryAcquireAsync(key, permits);
    } catch (RateLimiterUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /**
   * Returns a future that completes like the stage, with the failure itself: dependent stages wrap
   * it, and callers are promised {@link RateLimiterUnavailableException}.
   */
  public static CompletableFuture<Decision> unwrapped(CompletionStage<Decision> stage) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    stage.whenComplete(
        (decision, failure) -> {
          if (failure == null) {
            future.complete(decision);
          } else {
            future.completeExceptionally(failureOf(failure));
          }
        });
    return future;
  }

  /** Returns the failure that a dependent stage may have wrapped. */
  public static Throwable failureOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
