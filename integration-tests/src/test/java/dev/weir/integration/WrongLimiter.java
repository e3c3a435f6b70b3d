package dev.weir.integration;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Limiters that do what no fault may bring about, so that the tests' own checks are tested. */
abstract class WrongLimiter implements RateLimiter {

  final RateLimiter right;

  private WrongLimiter(RateLimiter right) {
    this.right = right;
  }

  /** Charges small requests twice, as a client that sends again what was not answered. */
  static RateLimiter sendingTwice(RateLimiter right) {
    return new WrongLimiter(right) {
      @Override
      public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
        CompletionStage<Decision> first = right.tryAcquireAsync(key, permits);
        if (permits < policy().limit() / 50) {
          right.tryAcquireAsync(key, permits);
        }
        return first;
      }
    };
  }

  /** Admits every second request and keeps it to itself. */
  static RateLimiter admittingHalfWithoutAsking(RateLimiter right) {
    AtomicLong requests = new AtomicLong();
    return new WrongLimiter(right) {
      @Override
      public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
        return requests.getAndIncrement() % 2 == 0
            ? right.tryAcquireAsync(key, permits)
            : CompletableFuture.completedFuture(
                new Decision(true, policy().limit(), 0, Duration.ZERO, Duration.ZERO));
      }
    };
  }

  /** Denies everything. */
  static RateLimiter denying(RateLimiter right) {
    return new WrongLimiter(right) {
      @Override
      public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
        return CompletableFuture.completedFuture(
            new Decision(false, policy().limit(), 0, Duration.ofSeconds(1), Duration.ZERO));
      }
    };
  }

  /** Fails with an exception of its own choice. */
  static RateLimiter failing(RateLimiter right, RuntimeException failure) {
    return new WrongLimiter(right) {
      @Override
      public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
        return CompletableFuture.failedFuture(failure);
      }
    };
  }

  @Override
  public final Policy policy() {
    return right.policy();
  }

  @Override
  public final Decision tryAcquire(String key, long permits) {
    try {
      return tryAcquireAsync(key, permits).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  @Override
  public final Decision peek(String key, long permits) {
    return right.peek(key, permits);
  }

  @Override
  public final void reset(String key) {
    right.reset(key);
  }
}
