package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads are admitted exactly as often as one thread, whatever they do at the same time. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ThreadsTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 300;
  private static final Duration LIFE = Duration.ofSeconds(1);

  private final VirtualClock clock = VirtualClock.atMidnight();
  private final InMemoryOptions options =
      InMemoryOptions.defaults().withStore(InMemoryStore.create()).withClock(clock);

  @ParameterizedTest
  @EnumSource
  void exactlyTheLimitIsAdmittedAtOneInstant(Algorithm algorithm) throws Exception {
    Quota quota = Quota.of(1_000, LIFE);
    // Two limiters on one store and in one namespace act as one.
    List<RateLimiter> limiters =
        List.of(algorithm.create(quota, options), algorithm.create(quota, options));
    AtomicLongArray admitted = new AtomicLongArray(1);

    inParallel(
        thread -> {
          for (int i = 0; i < 600; i++) {
            long permits = 1 + i % 2;
            if (limiters.get(thread % 2).tryAcquire("key", permits).allowed()) {
              admitted.addAndGet(0, permits);
            }
          }
        });

    assertThat(admitted.get(0)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @EnumSource
  void exactlyTheLimitIsAdmittedWhileKeysAreReleasedAndComeBack(Algorithm algorithm)
      throws Exception {
    int limit = 5;
    int keys = 64;
    InMemoryLimiter<?, ?> limiter = algorithm.create(Quota.of(limit, LIFE), options);
    AtomicLongArray admitted = new AtomicLongArray(keys);
    CyclicBarrier nextRound =
        new CyclicBarrier(THREADS, () -> clock.advance(algorithm.retention(limiter)));

    inParallel(
        thread -> {
          for (int round = 0; round < ROUNDS; round++) {
            nextRound.await();
            for (int i = 0; i < 3 * keys; i++) {
              int key = (i + thread) % keys;
              if (limiter.tryAcquire("key " + key).allowed()) {
                admitted.incrementAndGet(key);
              }
            }
          }
        });

    for (int key = 0; key < keys; key++) {
      assertThat(admitted.get(key)).isEqualTo((long) limit * ROUNDS);
    }
    assertThat(limiter.keys()).isLessThanOrEqualTo(keys);
  }

  @ParameterizedTest
  @EnumSource
  void noKeyExceedsItsLimitWhileKeysFindRoomAndLoseIt(Algorithm algorithm) throws Exception {
    int limit = 3;
    int keys = 16;
    int maxKeys = 4;
    for (int round = 0; round < ROUNDS; round++) {
      InMemoryLimiter<?, ?> limiter =
          algorithm.create(
              Quota.of(limit, LIFE),
              options
                  .withNamespace("round " + round)
                  .withMaxKeys(maxKeys)
                  .withOverflowListener((name, namespace, ceiling) -> {}));
      AtomicLongArray admitted = new AtomicLongArray(keys);

      // A key that is reset makes room while others are on their way to the shared state.
      inParallel(
          thread -> {
            for (int i = 0; i < 4 * keys; i++) {
              int key = (i + thread) % keys;
              if (limiter.tryAcquire("key " + key).allowed()) {
                admitted.incrementAndGet(key);
              }
              limiter.tryAcquire("once " + thread + " " + i);
              limiter.reset("once " + thread + " " + i);
            }
          });

      for (int key = 0; key < keys; key++) {
        assertThat(admitted.get(key)).isLessThanOrEqualTo(limit);
      }
      assertThat(limiter.keys()).isLessThanOrEqualTo(maxKeys);
    }
  }

  @FunctionalInterface
  private interface Task {
    void run(int thread) throws Exception;
  }

  private static void inParallel(Task task) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        results.add(
            executor.submit(
                () -> {
                  start.await();
                  task.run(thread);
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
