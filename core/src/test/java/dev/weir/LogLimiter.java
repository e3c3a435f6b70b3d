package dev.weir;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A sliding window log over a clock in nanoseconds, exact and too simple to be wrong. */
final class LogLimiter implements RateLimiter {

  private record Entry(long time, long permits) {}

  private final SlidingWindowPolicy policy;
  private final LongSupplier clock;
  private final Map<String, Deque<Entry>> logs = new HashMap<>();

  LogLimiter(SlidingWindowPolicy policy, LongSupplier clock) {
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public synchronized Decision tryAcquire(String key, long permits) {
    return decide(key, permits, true);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public synchronized Decision peek(String key, long permits) {
    return decide(key, permits, false);
  }

  @Override
  public synchronized void reset(String key) {
    logs.remove(key);
  }

  private Decision decide(String key, long permits, boolean take) {
    long now = clock.getAsLong();
    long limit = policy.limit();
    long window = policy.window().toNanos();
    Deque<Entry> log = logs.computeIfAbsent(key, k -> new ArrayDeque<>());
    while (!log.isEmpty() && now - log.peekFirst().time() >= window) {
      log.removeFirst();
    }
    long free = limit - log.stream().mapToLong(Entry::permits).sum();
    if (permits <= free) {
      if (take) {
        log.addLast(new Entry(now, permits));
      }
      return Decision.admitted(limit, free - permits, policy.window());
    }
    Duration retryAfter = Decision.NEVER;
    long freed = free;
    for (Entry entry : log) {
      freed += entry.permits();
      if (permits <= freed) {
        retryAfter = Duration.ofNanos(entry.time() + window - now);
        break;
      }
    }
    return Decision.denied(
        limit,
        free,
        retryAfter,
        Duration.ofNanos(log.isEmpty() ? 0 : log.peekLast().time() + window - now));
  }
}
