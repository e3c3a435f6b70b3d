package dev.weir.memory;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads ask at the same time, their answers are those of some order of the requests.
 * What the algorithms differ in runs under a lock, so one of them stands for all.
 */
class LinearizabilityTest {

  @Test
  void answersAreThoseOfSomeOrderOfTheRequests() {
    new ModelCheckingOptions()
        .actorsBefore(0) // what goes before would use up the limit
        .actorsAfter(0)
        .threads(2)
        .actorsPerThread(3)
        .iterations(5)
        .invocationsPerIteration(100)
        .check(Requests.class);
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
}
