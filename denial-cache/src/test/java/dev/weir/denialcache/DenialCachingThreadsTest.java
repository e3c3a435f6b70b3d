package dev.weir.denialcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DenialCachingThreadsTest {

  private static final int THREADS = 3;
  private static final int ROUNDS = 2_000;

  private final VirtualClock clock = new VirtualClock();
  private final RateLimiter limiter =
      DenialCachingRateLimiter.builder(
              InMemorySlidingWindow.create(
                  SlidingWindowPolicy.of(1, Duration.ofSeconds(1)),
                  InMemoryOptions.defaults().withClock(clock)))
          .clock(clock)
          .build();

  /** A denial that outlives a reset would take the permit that the reset gave. */
  @Test
  void noResetIsLostAmongDenials() throws Exception {
    AtomicInteger admitted = new AtomicInteger();
    CyclicBarrier round = new CyclicBarrier(THREADS + 1);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            executor.submit(
                () -> {
                  for (int r = 0; r < ROUNDS; r++) {
                    round.await();
                    for (int n = 0; n < 20; n++) {
                      if (limiter.tryAcquire("key").allowed()) {
                        admitted.incrementAndGet();
                      }
                    }
                    round.await();
                  }
                  return null;
                }));
      }
      for (int r = 0; r < ROUNDS; r++) {
        limiter.reset("key");
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        admitted.set(0);
        round.await();
        limiter.reset("key");
        if (limiter.tryAcquire("key").allowed()) {
          admitted.incrementAndGet();
        }
        round.await();
        assertThat(admitted).hasValue(1);
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
