package dev.weir.denialcache;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A limiter whose calls a test counts, makes fail, and whose asynchronous answers it holds. */
final class StagedLimiter implements RateLimiter {

  private final RateLimiter limiter;

  /** Every call so far, such as {@code tryAcquire a 1}. */
  final List<String> calls = new ArrayList<>();

  /** What every call ends in, or null. */
  RuntimeException failure;

  /** Whether asynchronous requests, decided at once, are answered by {@link #answer} only. */
  boolean holds;

  /** What happens between a call and what it does. */
  Runnable onTheWay = () -> {};

  private final Queue<Runnable> held = new ArrayDeque<>();

  StagedLimiter(RateLimiter limiter) {
    this.limiter = limiter;
  }

  @Override
  public Policy policy() {
    return limiter.policy();
  }

  private void called(String call) {
    calls.add(call);
    onTheWay.run();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    called("tryAcquire " + key + " " + permits);
    return limiter.tryAcquire(key, permits);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    Runnable answer;
    try {
      called("tryAcquireAsync " + key + " " + permits);
      Decision decision = limiter.tryAcquire(key, permits);
      answer = () -> future.complete(decision);
    } catch (RuntimeException e) {
      answer = () -> future.completeExceptionally(e);
    }
    if (holds) {
      held.add(answer);
    } else {
      answer.run();
    }
    return future;
  }

  /** Answers the request that was held first. */
  void answer() {
    held.remove().run();
  }

  @Override
  public Decision peek(String key, long permits) {
    called("peek " + key + " " + permits);
    return limiter.peek(key, permits);
  }

  @Override
  public void reset(String key) {
    called("reset " + key);
    limiter.reset(key);
  }
}
