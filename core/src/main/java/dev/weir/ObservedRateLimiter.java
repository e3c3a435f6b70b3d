package dev.weir;

import dev.weir.internal.ListenerGuard;
import dev.weir.internal.Stages;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * An observed rate limiter answers like the limiter it decorates and tells a listener what became
 * of each request.
 *
 * <p>Requests are the calls of {@code tryAcquire} and {@code tryAcquireAsync}. {@code peek} and
 * {@code reset} are passed on untold, for they ask for nothing, and so are refused arguments.
 * Nothing is stored for a key.
 *
 * <p>Blocks when the decorated limiter does. Safe for use by any number of threads.
 */
public final class ObservedRateLimiter implements RateLimiter {

  private final RateLimiter limiter;
  private final RateLimiterListener listener;
  private final LongSupplier ticker;
  private final ListenerGuard guard;

  ObservedRateLimiter(RateLimiter limiter, RateLimiterListener listener, LongSupplier ticker) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.ticker = ticker;
    guard = new ListenerGuard(listener);
  }

  /**
   * Returns a limiter that tells a listener.
   *
   * @param limiter what decides
   * @param listener what is told
   * @return a new decorator
   * @throws NullPointerException if an argument is null
   */
  public static ObservedRateLimiter of(RateLimiter limiter, RateLimiterListener listener) {
    return new ObservedRateLimiter(limiter, listener, System::nanoTime);
  }

  @Override
  public Policy policy() {
    return limiter.policy();
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    long start = ticker.getAsLong();
    Decision decision;
    try {
      decision = limiter.tryAcquire(key, permits);
    } catch (RateLimiterUnavailableException e) {
      tellUnavailable(key, permits, e, start);
      throw e;
    }
    tellDecision(key, permits, decision, start);
    return decision;
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    long start = ticker.getAsLong();
    return Stages.unwrapped(
        Stages.ask(limiter, key, permits)
            .whenComplete(
                (decision, failure) -> {
                  if (failure == null) {
                    tellDecision(key, permits, decision, start);
                  } else if (Stages.failureOf(failure)
                      instanceof RateLimiterUnavailableException e) {
                    tellUnavailable(key, permits, e, start);
                  }
                }));
  }

  @Override
  public Decision peek(String key, long permits) {
    return limiter.peek(key, permits);
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
  }

  private void tellDecision(String key, long permits, Decision decision, long start) {
    long nanos = ticker.getAsLong() - start;
    guard.call(() -> listener.onDecision(key, permits, decision, nanos));
  }

  private void tellUnavailable(
      String key, long permits, RateLimiterUnavailableException exception, long start) {
    long nanos = ticker.getAsLong() - start;
    guard.call(() -> listener.onUnavailable(key, permits, exception, nanos));
  }
}
