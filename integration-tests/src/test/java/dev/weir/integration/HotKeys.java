package dev.weir.integration;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.redisson.api.RedissonClient;

/**
 * More calls than a few keys with small limits admit, and afterwards how much was admitted beyond
 * the bounds of their policies, by the times at which the callers asked and were answered.
 */
final class HotKeys implements AutoCloseable {

  private static final int THREADS = 2;
  // Clients and servers measure the same second a little differently.
  private static final long SLACK_NANOS = 1_000_000;

  private final List<HotKey> keys = new ArrayList<>();
  private final LongAdder decided = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final ScheduledExecutorService workers = Executors.newScheduledThreadPool(THREADS);

  /** An admitted call, in nanoseconds of {@link System#nanoTime()}. */
  record Call(long begun, long ended, long permits) {}

  private record HotKey(RateLimiter limiter, String name, Queue<Call> admitted) {}

  private HotKeys(RedissonClient redisson, RedisOptions options, UnaryOperator<RateLimiter> made) {
    RedisOptions fresh = options.withNamespace(TestRedis.freshNamespace());
    for (Algorithm algorithm : Algorithm.values()) {
      for (Policy policy :
          List.of(
              algorithm.policy(20, Duration.ofSeconds(1)),
              algorithm.policy(5, Duration.ofMillis(200)))) {
        RateLimiter limiter = made.apply(algorithm.create(redisson, policy, fresh));
        for (int i = 0; i < 2; i++) {
          String name = Load.SECRET + policy.limit() + "-" + i;
          keys.add(new HotKey(limiter, name, new ConcurrentLinkedQueue<>()));
        }
      }
    }
  }

  /** Starts calls of what is made of the limiters, in a fresh namespace. */
  static HotKeys start(
      RedissonClient redisson, RedisOptions options, UnaryOperator<RateLimiter> made) {
    HotKeys hot = new HotKeys(redisson, options, made);
    for (int i = 0; i < THREADS; i++) {
      hot.workers.scheduleWithFixedDelay(
          () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            HotKey key = hot.keys.get(random.nextInt(hot.keys.size()));
            for (int call = 0; call < 3; call++) {
              hot.ask(key, random.nextLong(1, 4));
            }
          },
          i,
          3,
          TimeUnit.MILLISECONDS);
    }
    return hot;
  }

  private void ask(HotKey key, long permits) {
    long begun = System.nanoTime();
    try {
      boolean allowed = key.limiter.tryAcquire(key.name, permits).allowed();
      decided.increment();
      if (allowed) {
        key.admitted.add(new Call(begun, System.nanoTime(), permits));
      }
    } catch (RateLimiterUnavailableException e) {
      failed.increment(); // whether it was charged nobody knows; it was not admitted
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends the calls. */
  void stop() {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("calls have not returned");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The most permits by which the counted calls exceed the bound of their policy in any interval.
   */
  long overAdmitted(Predicate<Call> counted) {
    return keys.stream()
        .mapToLong(
            key ->
                overAdmitted(key.limiter.policy(), key.admitted.stream().filter(counted).toList()))
        .max()
        .orElse(0);
  }

  /** How many calls were answered. */
  long decided() {
    return decided.sum();
  }

  /** How many calls ended as unavailable. */
  long failed() {
    return failed.sum();
  }

  static long overAdmitted(Policy policy, List<Call> calls) {
    List<Call> byBegin = calls.stream().sorted(Comparator.comparingLong(Call::begun)).toList();
    long most = 0;
    for (int i = 0; i < byBegin.size(); i++) {
      long from = byBegin.get(i).begun;
      PriorityQueue<Call> byEnd = new PriorityQueue<>(Comparator.comparingLong(Call::ended));
      byEnd.addAll(byBegin.subList(i, byBegin.size()));
      long permits = 0;
      // Every call up to this one was decided between the two times.
      for (Call call = byEnd.poll(); call != null; call = byEnd.poll()) {
        permits += call.permits;
        Duration interval = Duration.ofNanos(call.ended - from + SLACK_NANOS);
        most = Math.max(most, permits - policy.admissionBound(interval));
      }
    }
    return most;
  }
}
