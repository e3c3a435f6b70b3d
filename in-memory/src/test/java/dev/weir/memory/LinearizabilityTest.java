package dev.weir.memory;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads ask at the same time, their answers are those of some order of the requests.
 * What the algorithms differ in runs under a lock, so one of them stands for all.
 */
@Tag("long")
class LinearizabilityTest {

  @Test
  void answersAreThoseOfSomeOrderOfTheRequests() {
    check(Requests.class);
  }

  @Test
  void noKeyExceedsItsLimitWhereThereIsRoomForOneKey() {
    check(RequestsWithRoomForOneKey.class);
  }

  private static void check(Class<?> requests) {
    new ModelCheckingOptions()
        .actorsBefore(0) // what goes before would use up the limit
        .actorsAfter(0)
        .threads(2)
        .actorsPerThread(3)
        .iterations(5)
        .invocationsPerIteration(100)
        .check(requests);
  }

  /** What threads do. */
  public static class Requests {

    private final VirtualClock clock = VirtualClock.atMidnight();
    private final RateLimiter limiter =
        InMemoryFixedWindow.create(
            FixedWindowPolicy.of(3, Duration.ofMillis(1)),
            InMemoryOptions.defaults().withClock(clock));

    @Operation
    public String acquireOne() {
      return limiter.tryAcquire("a", 1).toString();
    }

    @Operation
    public String acquireTwo() {
      return limiter.tryAcquire("a", 2).toString();
    }

    /** Releases the other key when its window is over. */
    @Operation
    public String acquireForAnotherKey() {
      return limiter.tryAcquire("b", 2).toString();
    }

    @Operation
    public String peek() {
      return limiter.peek("a", 1).toString();
    }

    @Operation
    public void reset() {
      limiter.reset("a");
    }

    @Operation
    public void moveToTheNextWindow() {
      clock.move(1_000);
    }
  }

  /**
   * What threads do where there is room for one key. There a key may be charged for what others
   * shared, so the answers are those of no order; but none may get more than its limit.
   */
  public static class RequestsWithRoomForOneKey {

    private static final int LIMIT = 2;

    private final RateLimiter limiter =
        InMemoryFixedWindow.create(
            FixedWindowPolicy.of(LIMIT, Duration.ofMillis(1)),
            InMemoryOptions.defaults()
                .withClock(VirtualClock.atMidnight())
                .withMaxKeys(1)
                .withOverflowListener((algorithm, namespace, maxKeys) -> {}));
    private final AtomicInteger admitted = new AtomicInteger();

    @Operation
    public void acquireOne() {
      acquire(1);
    }

    @Operation
    public void acquireTwo() {
      acquire(2);
    }

    private void acquire(int permits) {
      if (limiter.tryAcquire("key", permits).allowed()) {
        admitted.addAndGet(permits);
      }
    }

    @Operation
    public void takeTheRoom() {
      limiter.tryAcquire("another");
    }

    @Operation
    public void makeRoom() {
      limiter.reset("another");
    }

    @Validate
    public void noMoreThanTheLimitIsAdmitted() {
      if (admitted.get() > LIMIT) {
        throw new IllegalStateException(admitted + " admitted, the limit is " + LIMIT);
      }
    }
  }
}
