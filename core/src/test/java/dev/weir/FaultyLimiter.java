package dev.weir;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A limiter on a store that a test can cut off, and whose asynchronous answers it can hold. */
class FaultyLimiter implements RateLimiter {

  private final RateLimiter store;

  /** What every call ends in, or null. */
  volatile Throwable failure;

  /** Whether an asynchronous call throws the failure instead of completing with it. */
  volatile boolean throwsAtOnce;

  /** Whether asynchronous requests wait for {@link #answer}. */
  volatile boolean holds;

  /** Every call so far, such as {@code tryAcquire a 1}. */
  final List<String> calls = new ArrayList<>();

  private final List<Runnable> held = new ArrayList<>();

  FaultyLimiter(RateLimiter store) {
    this.store = store;
  }

  static RateLimiterUnavailableException unavailable() {
    return new RateLimiterUnavailableException("no answer", null);
  }

  private synchronized void log(String call) {
    calls.add(call);
  }

  private void failIfCutOff() {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  @Override
  public Policy policy() {
    return store.policy();
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    log("tryAcquire " + key + " " + permits);
    failIfCutOff();
    return store.tryAcquire(key, permits);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    log("tryAcquireAsync " + key + " " + permits);
    if (throwsAtOnce) {
      failIfCutOff();
    }
    CompletableFuture<Decision> future = new CompletableFuture<>();
    Runnable answer =
        () -> {
          if (failure == null) {
            future.complete(store.tryAcquire(key, permits));
          } else {
            future.completeExceptionally(failure);
          }
        };
    if (holds) {
      held.add(answer);
    } else {
      answer.run();
    }
    return future;
  }

  /** Lets the store see and answer the request that was held first. */
  void answer() {
    held.remove(0).run();
  }

  int held() {
    return held.size();
  }

  @Override
  public Decision peek(String key, long permits) {
    log("peek " + key + " " + permits);
    failIfCutOff();
    return store.peek(key, permits);
  }

  @Override
  public void reset(String key) {
    log("reset " + key);
    failIfCutOff();
    store.reset(key);
  }
}
