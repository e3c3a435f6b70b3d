package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Real threads, real timers and waits of a millisecond or less. */
class WaitingRateLimiterRaceTest {

  private static final int THREADS = 4;
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);
  private static final SlidingWindowPolicy POLICY =
      SlidingWindowPolicy.of(20, Duration.ofMillis(1));

  /** Counts what it admits, and that no key has two requests with it at once. */
  private static final class Counting implements RateLimiter {
    private final LogLimiter log = new LogLimiter(POLICY, System::nanoTime);
    private final AtomicLong admitted = new AtomicLong();
    private final AtomicInteger withIt = new AtomicInteger();
    private final AtomicInteger mostWithIt = new AtomicInteger();
    private final boolean late;

    Counting(boolean late) {
      this.late = late;
    }

    @Override
    public Policy policy() {
      return POLICY;
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      mostWithIt.accumulateAndGet(withIt.incrementAndGet(), Math::max);
      Decision decision = log.tryAcquire(key, permits);
      if (decision.allowed()) {
        admitted.addAndGet(permits);
      }
      withIt.decrementAndGet();
      return decision;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return late && ThreadLocalRandom.current().nextBoolean()
          ? CompletableFuture.supplyAsync(() -> tryAcquire(key, permits), ForkJoinPool.commonPool())
          : CompletableFuture.completedFuture(tryAcquire(key, permits));
    }

    @Override
    public Decision peek(String key, long permits) {
      return log.peek(key, permits);
    }

    @Override
    public void reset(String key) {
      log.reset(key);
    }
  }

  private static <T> List<T> atOnce(Callable<T> call) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        futures.add(
            executor.submit(
                () -> {
                  barrier.await();
                  return call.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(2, TimeUnit.MINUTES));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void blockedCallersAreAllAdmittedOneRequestAtATime() throws Exception {
    for (boolean late : new boolean[] {false, true}) {
      Counting limiter = new Counting(late);
      WaitingRateLimiter waiting = WaitingRateLimiter.of(limiter);
      atOnce(
          () -> {
            for (int i = 0; i < 500; i++) {
              assertThat(waiting.acquire("a", 1 + i % 20, LONG_ENOUGH).allowed()).isTrue();
            }
            return null;
          });
      assertThat(limiter.admitted).hasValue(THREADS * 500 / 20 * 210);
      assertThat(limiter.mostWithIt).hasValue(1);
      assertThat(waiting.keys()).isZero();
    }
  }

  @Test
  void cancelsAndDeadlinesAtAnyMomentLoseNobodyAndLeaveNothing() throws Exception {
    for (boolean late : new boolean[] {false, true}) {
      Counting limiter = new Counting(late);
      ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(2);
      timer.setRemoveOnCancelPolicy(true);
      try {
        WaitingRateLimiter waiting = WaitingRateLimiter.of(limiter, timer);
        AtomicLong seeds = new AtomicLong(1);
        List<Long> admitted =
            atOnce(
                () -> {
                  SplittableRandom random = new SplittableRandom(seeds.getAndIncrement());
                  List<CompletableFuture<Decision>> futures = new ArrayList<>();
                  List<Long> permits = new ArrayList<>();
                  for (int i = 0; i < 2_000; i++) {
                    permits.add(random.nextLong(1, 20));
                    Duration maxWait = Duration.ofNanos(random.nextLong(20_000_000));
                    futures.add(waiting.acquireAsync("a" + i % 2, permits.get(i), maxWait));
                    if (random.nextInt(3) == 0) {
                      futures.get(random.nextInt(futures.size())).cancel(false);
                    }
                  }
                  long sum = 0;
                  for (int i = 0; i < futures.size(); i++) {
                    CompletableFuture<Decision> ended =
                        futures.get(i).exceptionally(cancelled -> null);
                    Decision decision = ended.get(1, TimeUnit.MINUTES);
                    sum += decision != null && decision.allowed() ? permits.get(i) : 0;
                  }
                  return sum;
                });
        // what was admitted for a caller that cancelled meanwhile is gone
        assertThat(admitted.stream().mapToLong(Long::longValue).sum())
            .isPositive()
            .isLessThanOrEqualTo(limiter.admitted.get());
        assertThat(ForkJoinPool.commonPool().awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
        assertThat(waiting.keys()).isZero();
        assertThat(timer.getQueue()).isEmpty();
      } finally {
        timer.shutdownNow();
      }
    }
  }

  @Test
  void interruptsAtAnyMomentLoseNobodyAndLeaveNothing() throws Exception {
    Counting limiter = new Counting(true);
    WaitingRateLimiter waiting = WaitingRateLimiter.of(limiter);
    AtomicLong decided = new AtomicLong();
    AtomicLong interrupted = new AtomicLong();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Thread caller =
          new Thread(
              () -> {
                try {
                  assertThat(waiting.acquire("a", 15, LONG_ENOUGH).allowed()).isTrue();
                  decided.incrementAndGet();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      callers.add(caller);
      caller.start();
      if (i % 3 == 0) {
        callers.get(i / 2).interrupt();
      }
    }
    for (Thread caller : callers) {
      caller.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(caller.isAlive()).isFalse();
    }
    assertThat(decided.get() + interrupted.get()).isEqualTo(200);
    assertThat(limiter.admitted.get()).isGreaterThanOrEqualTo(decided.get() * 15);
    assertThat(ForkJoinPool.commonPool().awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
    assertThat(waiting.keys()).isZero();
  }
}
