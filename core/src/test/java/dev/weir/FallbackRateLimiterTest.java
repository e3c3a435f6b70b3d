package dev.weir;

import static dev.weir.VirtualTime.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FallbackRateLimiterTest {

  private static final Policy LARGE = SlidingWindowPolicy.of(1_000, Duration.ofMillis(5));
  private static final Policy SMALL = SlidingWindowPolicy.of(100, Duration.ofMillis(5));
  private static final Duration INTERVAL = Duration.ofMillis(4);
  private static final int THRESHOLD = 3;

  private final VirtualTime time = new VirtualTime();
  private final FaultyLimiter primary = new FaultyLimiter(FallbackRateLimiter.allowing(LARGE));
  private final FaultyLimiter fallback = new FaultyLimiter(FallbackRateLimiter.allowing(SMALL));
  private final List<Object> transitions = Collections.synchronizedList(new ArrayList<>());
  private final FallbackRateLimiter limiter = build(THRESHOLD);

  private FallbackRateLimiter build(int threshold) {
    return FallbackRateLimiter.builder(primary, fallback)
        .failureThreshold(threshold)
        .probeInterval(INTERVAL)
        .listener(
            new FallbackRateLimiter.Listener() {
              @Override
              public void onOpened(RateLimiterUnavailableException cause) {
                transitions.add(cause);
              }

              @Override
              public void onClosed() {
                transitions.add("closed");
              }
            })
        .ticker(time)
        .build();
  }

  private void cutOff() {
    primary.failure = FaultyLimiter.unavailable();
  }

  private void open() {
    cutOff();
    for (int i = 0; i < THRESHOLD; i++) {
      limiter.tryAcquire("a");
    }
    assertThat(limiter.isOpen()).isTrue();
    transitions.clear();
    primary.calls.clear();
    fallback.calls.clear();
  }

  private static boolean byPrimary(Decision decision) {
    return decision.limit() == LARGE.limit();
  }

  private Decision async(long permits) {
    CompletableFuture<Decision> decision =
        limiter.tryAcquireAsync("a", permits).toCompletableFuture();
    assertThat(decision).isCompleted();
    return decision.join();
  }

  private Throwable asyncFailure() {
    return limiter.tryAcquireAsync("a", 1).handle((d, e) -> e).toCompletableFuture().join();
  }

  // each number is one call: what kind it is, whether the store is there, how long it is after the
  // one before
  @Property
  void whoAnswersAndWhatIsReportedIsThatOfTheBreakerInWords(
      @ForAll @Size(max = 60) List<@IntRange(max = 29) Integer> calls,
      @ForAll @IntRange(min = 1, max = 4) int threshold) {
    FallbackRateLimiter tested = build(threshold);
    transitions.clear();
    primary.calls.clear();
    boolean open = false;
    int failures = 0;
    int asked = 0;
    long nextProbe = 0;
    List<Object> expected = new ArrayList<>();
    for (int call : calls) {
      time.advance(call / 6 * MS);
      boolean there = call % 2 == 0;
      boolean peek = call % 3 == 2;
      primary.failure = there ? null : FaultyLimiter.unavailable();

      Decision decision =
          switch (call % 3) {
            case 0 -> tested.tryAcquire("a", 1);
            case 1 -> tested.tryAcquireAsync("a", 1).toCompletableFuture().join();
            default -> tested.peek("a", 1);
          };

      assertThat(byPrimary(decision)).isEqualTo(!open && there);
      if (open && !peek && time.elapsed() >= nextProbe) {
        asked++;
        nextProbe = time.elapsed() + INTERVAL.toNanos();
        if (there) {
          open = false;
          failures = 0;
          expected.add("closed");
        }
      } else if (!open) {
        asked++;
        failures = there ? (peek ? failures : 0) : failures + 1;
        if (failures >= threshold && !there) {
          open = true;
          nextProbe = time.elapsed() + INTERVAL.toNanos();
          expected.add(primary.failure);
        }
      }
      assertThat(tested.isOpen()).isEqualTo(open);
      assertThat(primary.calls).hasSize(asked);
      assertThat(transitions).isEqualTo(expected);
    }
  }

  @Test
  void anOutageIsWaitedForOnlyUntilTheBreakerOpens() {
    open();
    for (int i = 0; i < 1_000; i++) {
      time.advance(MS);
      assertThat(byPrimary(limiter.tryAcquire("a"))).isFalse();
      assertThat(byPrimary(limiter.peek("a"))).isFalse();
    }
    assertThat(primary.calls).hasSize(250).containsOnly("tryAcquireAsync a 1");
  }

  @Test
  void aProbeIsARealRequestThatNobodyWaitsFor() {
    open();
    primary.failure = null;
    primary.holds = true;
    time.advance(4 * MS - 1);
    limiter.tryAcquire("a", 1);
    assertThat(primary.calls).isEmpty();

    time.advance(1);
    assertThat(byPrimary(limiter.tryAcquire("b", 7))).isFalse();
    assertThat(primary.calls).containsExactly("tryAcquireAsync b 7");
    assertThat(fallback.calls).last().isEqualTo("tryAcquire b 7");

    time.advance(4 * MS - 1);
    assertThat(byPrimary(async(8))).isFalse();
    assertThat(primary.calls).hasSize(1);
    assertThat(limiter.isOpen()).isTrue();

    primary.answer();
    assertThat(limiter.isOpen()).isFalse();
    assertThat(transitions).containsExactly("closed");
    primary.holds = false;
    assertThat(byPrimary(async(8))).isTrue();
  }

  @Test
  void aProbeThatIsNeverAnsweredIsFollowedByTheNext() {
    open();
    primary.failure = null;
    primary.holds = true;
    time.advance(4 * MS);
    limiter.tryAcquire("a");
    time.advance(4 * MS);
    limiter.tryAcquire("a");
    assertThat(primary.held()).isEqualTo(2);
    primary.answer();
    primary.answer();
    assertThat(transitions).containsExactly("closed");
  }

  @Test
  void aProbeThatFailsInWhateverWayLeavesTheBreakerOpen() {
    open();
    for (Throwable failure :
        List.of(FaultyLimiter.unavailable(), new IllegalStateException("bug"))) {
      for (boolean throwsAtOnce : new boolean[] {false, true}) {
        primary.failure = failure;
        primary.throwsAtOnce = throwsAtOnce;
        time.advance(4 * MS);
        assertThat(byPrimary(limiter.tryAcquire("a"))).isFalse();
      }
    }
    assertThat(primary.calls).hasSize(4);
    assertThat(limiter.isOpen()).isTrue();
    assertThat(transitions).isEmpty();
  }

  @Test
  void aCallerThatIsOvertakenDoesNotProbe() {
    AtomicReference<Runnable> overtaking = new AtomicReference<>(() -> {});
    FallbackRateLimiter tested =
        FallbackRateLimiter.builder(primary, fallback)
            .failureThreshold(1)
            .ticker(
                () -> {
                  overtaking.getAndSet(() -> {}).run();
                  return time.getAsLong();
                })
            .build();
    cutOff();
    tested.tryAcquire("a");
    time.advance(1_000 * MS);
    overtaking.set(() -> tested.tryAcquire("first"));
    tested.tryAcquire("second");
    assertThat(primary.calls).containsExactly("tryAcquire a 1", "tryAcquireAsync first 1");
  }

  @Test
  void aRefusedRequestIsNoProbe() {
    open();
    time.advance(4 * MS);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("a", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("", 1));
    assertThat(primary.calls).isEmpty();
  }

  @Test
  void answersOfAFormerStateChangeNothing() {
    primary.holds = true;
    List<CompletableFuture<Decision>> early = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      early.add(limiter.tryAcquireAsync("a", 1).toCompletableFuture());
    }
    primary.holds = false;
    open();

    primary.failure = null;
    primary.answer();
    assertThat(byPrimary(early.get(0).join())).isTrue();
    assertThat(limiter.isOpen()).isTrue();

    time.advance(4 * MS);
    limiter.tryAcquire("a");
    assertThat(limiter.isOpen()).isFalse();

    cutOff();
    for (int i = 1; i < 4; i++) {
      primary.answer();
      assertThat(byPrimary(early.get(i).join())).isFalse();
    }
    assertThat(limiter.isOpen()).isFalse();
    assertThat(transitions).containsExactly("closed");
  }

  @Test
  void anAnsweredPeekDoesNotHideThatTheStoreRefusesToWrite() {
    for (int i = 0; i < THRESHOLD; i++) {
      cutOff();
      limiter.tryAcquire("a");
      primary.failure = null;
      limiter.peek("a");
    }
    assertThat(limiter.isOpen()).isTrue();
  }

  @Test
  void otherFailuresPassThroughAndDoNotCount() {
    limiter.tryAcquire("a");
    for (int i = 0; i < 2 * THRESHOLD; i++) {
      primary.failure = new IllegalArgumentException("key is too long for this store");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> limiter.tryAcquire("a"))
          .isSameAs(primary.failure);
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek("a"));
      assertThat(asyncFailure()).isSameAs(primary.failure);
      primary.throwsAtOnce = true;
      assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("a", 1));
      primary.throwsAtOnce = false;
    }
    assertThat(limiter.isOpen()).isFalse();
    assertThat(fallback.calls).isEmpty();
  }

  @Test
  void badArgumentsReachNeitherLimiter() {
    for (Runnable call :
        List.<Runnable>of(
            () -> limiter.tryAcquire("a", 0),
            () -> limiter.tryAcquireAsync("", 1),
            () -> limiter.peek("a", -1),
            () -> limiter.reset(""))) {
      assertThatIllegalArgumentException().isThrownBy(call::run);
    }
    assertThatNullPointerException().isThrownBy(() -> limiter.tryAcquire(null, 1));
    assertThat(primary.calls).isEmpty();
    assertThat(fallback.calls).isEmpty();
  }

  @Test
  void aStoreThatThrowsItsUnavailabilityFallsBackToo() {
    cutOff();
    primary.throwsAtOnce = true;
    assertThat(byPrimary(async(1))).isFalse();
  }

  @Test
  void whereTheFallbackIsUnavailableTooItsExceptionIsThrown() {
    cutOff();
    fallback.failure = FaultyLimiter.unavailable();
    for (int i = 0; i < 2 * THRESHOLD; i++) { // closed, then open
      assertThatExceptionOfType(RateLimiterUnavailableException.class)
          .isThrownBy(() -> limiter.tryAcquire("a"))
          .isSameAs(fallback.failure);
      assertThat(asyncFailure()).isSameAs(fallback.failure);
      assertThatExceptionOfType(RateLimiterUnavailableException.class)
          .isThrownBy(() -> limiter.peek("a"));
    }
    assertThat(transitions).containsExactly(primary.failure);
  }

  @Test
  void neverIsSaidOnlyOfWhatThePrimaryNeverAdmits() {
    open();
    for (Decision decision :
        List.of(limiter.tryAcquire("a", 101), async(1_000), limiter.peek("a", 500))) {
      assertThat(decision).isEqualTo(Decision.denied(100, 100, INTERVAL, Duration.ZERO));
    }
    for (Decision decision :
        List.of(limiter.tryAcquire("a", 1_001), async(1_001), limiter.peek("a", 1_001))) {
      assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    }
  }

  @Test
  void thePolicyIsThePrimarysAlsoWhileTheFallbackAnswers() {
    open();
    assertThat(limiter.policy()).isSameAs(LARGE);
  }

  @Test
  void resetGoesToBothInEitherState() {
    limiter.reset("a");
    assertThat(primary.calls).containsExactly("reset a");
    assertThat(fallback.calls).containsExactly("reset a");
    open();
    primary.failure = null;
    limiter.reset("a");
    assertThat(primary.calls).containsExactly("reset a");
    assertThat(fallback.calls).containsExactly("reset a");
    assertThat(limiter.isOpen()).isTrue();
  }

  @Test
  void aResetThatFailsOnOneSideIsDoneOnTheOtherAndThrowsButDoesNotCount() {
    cutOff();
    for (int i = 0; i < 2 * THRESHOLD; i++) {
      assertThatExceptionOfType(RateLimiterUnavailableException.class)
          .isThrownBy(() -> limiter.reset("a"))
          .isSameAs(primary.failure);
    }
    assertThat(fallback.calls).hasSize(2 * THRESHOLD);
    assertThat(limiter.isOpen()).isFalse();

    primary.failure = null;
    primary.calls.clear();
    fallback.failure = FaultyLimiter.unavailable();
    assertThatExceptionOfType(RateLimiterUnavailableException.class)
        .isThrownBy(() -> limiter.reset("a"))
        .isSameAs(fallback.failure);
    assertThat(primary.calls).containsExactly("reset a");
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    FallbackRateLimiter tested =
        FallbackRateLimiter.builder(primary, fallback)
            .failureThreshold(1)
            .ticker(time)
            .listener(
                new FallbackRateLimiter.Listener() {
                  @Override
                  public void onOpened(RateLimiterUnavailableException cause) {
                    throw new IllegalStateException("listener");
                  }
                })
            .build();
    cutOff();
    assertThat(byPrimary(tested.tryAcquire("a"))).isFalse();
    assertThat(tested.isOpen()).isTrue();
  }

  @Test
  void withoutSettingsFiveFailuresOpenAndASecondLaterIsProbed() {
    FallbackRateLimiter tested =
        FallbackRateLimiter.builder(primary, fallback).ticker(time).build();
    cutOff();
    for (int i = 0; i < 5; i++) {
      assertThat(tested.isOpen()).isFalse();
      tested.tryAcquire("a");
    }
    assertThat(tested.isOpen()).isTrue();
    primary.failure = null;
    time.advance(1_000 * MS - 1);
    tested.tryAcquire("a");
    assertThat(tested.isOpen()).isTrue();
    time.advance(1);
    tested.tryAcquire("a");
    assertThat(tested.isOpen()).isFalse();
    assertThat(FallbackRateLimiter.DEFAULT_FAILURE_THRESHOLD).isEqualTo(5);
    assertThat(FallbackRateLimiter.DEFAULT_PROBE_INTERVAL).isEqualTo(Duration.ofSeconds(1));
  }

  private static void atOnce(int threads, Runnable call) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        done.add(
            executor.submit(
                () -> {
                  barrier.await();
                  call.run();
                  return null;
                }));
      }
      for (Future<?> future : done) {
        future.get(60, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void threadsThatFailTogetherOpenOnceAndThoseThatCallTogetherProbeOnce() throws Exception {
    for (int round = 0; round < 200; round++) {
      cutOff();
      atOnce(4, () -> limiter.tryAcquire("a"));
      assertThat(transitions).containsExactly(primary.failure);

      primary.failure = null;
      primary.calls.clear();
      primary.holds = true;
      time.advance(4 * MS);
      atOnce(4, () -> assertThat(byPrimary(limiter.tryAcquire("a"))).isFalse());
      assertThat(primary.calls).containsExactly("tryAcquireAsync a 1");
      primary.holds = false;
      primary.answer();
      assertThat(transitions).hasSize(2).last().isEqualTo("closed");
      transitions.clear();
    }
  }

  @Property
  void theFallbackThatAllowsAdmitsWhateverThePolicyEverAdmits(
      @ForAll @LongRange(min = 1, max = 200) long permits) {
    RateLimiter allowing = FallbackRateLimiter.allowing(SMALL);
    Decision expected =
        permits <= 100
            ? Decision.admitted(100, 100, Duration.ZERO)
            : Decision.denied(100, 100, Decision.NEVER, Duration.ZERO);
    assertAnswersAlways(allowing, permits, expected);
  }

  @Property
  void theFallbackThatDeniesTellsToRetryWhenItProbes(
      @ForAll @LongRange(min = 1, max = 200) long permits) {
    Duration second = Duration.ofSeconds(1);
    assertAnswersAlways(
        FallbackRateLimiter.denying(SMALL),
        permits,
        Decision.denied(100, 0, permits <= 100 ? second : Decision.NEVER, second));
    assertAnswersAlways(
        FallbackRateLimiter.denying(SMALL, INTERVAL),
        permits,
        Decision.denied(100, 0, permits <= 100 ? INTERVAL : Decision.NEVER, INTERVAL));
  }

  private static void assertAnswersAlways(RateLimiter limiter, long permits, Decision expected) {
    for (int i = 0; i < 2; i++) {
      assertThat(limiter.tryAcquire("a", permits)).isEqualTo(expected);
      assertThat(limiter.tryAcquireAsync("a", permits).toCompletableFuture())
          .isCompletedWithValue(expected);
      assertThat(limiter.peek("a", permits)).isEqualTo(expected);
      limiter.reset("a");
    }
    assertThat(limiter.policy()).isSameAs(SMALL);
  }

  @Test
  void fallbacksWithoutStateCheckTheirArguments() {
    for (RateLimiter tested :
        List.of(FallbackRateLimiter.allowing(SMALL), FallbackRateLimiter.denying(SMALL))) {
      assertThatIllegalArgumentException().isThrownBy(() -> tested.tryAcquire("a", 0));
      assertThatIllegalArgumentException().isThrownBy(() -> tested.tryAcquireAsync("", 1));
      assertThatIllegalArgumentException().isThrownBy(() -> tested.peek("", 1));
      assertThatIllegalArgumentException().isThrownBy(() -> tested.reset(""));
    }
  }

  @Test
  void settingsOutOfBoundsAreRefusedWithTheValueAndTheBound() {
    FallbackRateLimiter.Builder builder = FallbackRateLimiter.builder(primary, fallback);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.failureThreshold(0))
        .withMessage("failureThreshold is 0, must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.probeInterval(Duration.ZERO))
        .withMessage("probeInterval is PT0S, must be from 1 ms to 366 days in whole microseconds");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FallbackRateLimiter.denying(SMALL, Decision.NEVER))
        .withMessageContaining("retryAfter is");
  }

  @Test
  void nullsAreRefused() {
    FallbackRateLimiter.Builder builder = FallbackRateLimiter.builder(primary, fallback);
    assertThatNullPointerException().isThrownBy(() -> builder.probeInterval(null));
    assertThatNullPointerException().isThrownBy(() -> builder.listener(null));
    assertThatNullPointerException().isThrownBy(() -> FallbackRateLimiter.builder(null, fallback));
    assertThatNullPointerException().isThrownBy(() -> FallbackRateLimiter.builder(primary, null));
    assertThatNullPointerException().isThrownBy(() -> FallbackRateLimiter.allowing(null));
    assertThatNullPointerException().isThrownBy(() -> FallbackRateLimiter.denying(null));
    assertThatNullPointerException().isThrownBy(() -> FallbackRateLimiter.denying(SMALL, null));
  }
}
