package dev.weir.denialcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.memory.InMemoryTokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DenialCachingRateLimiterTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MICRO = Duration.ofNanos(1_000);

  private final VirtualClock clock = new VirtualClock();
  private final InMemoryOptions options = InMemoryOptions.defaults().withClock(clock);
  private final RateLimiter store =
      InMemorySlidingWindow.create(SlidingWindowPolicy.of(3, SECOND), options);
  private final StagedLimiter staged = new StagedLimiter(store);
  private final DenialCachingRateLimiter limiter =
      DenialCachingRateLimiter.builder(staged).clock(clock).build();

  /** Uses a key up, so that the next request is denied. */
  private void exhaust(String key) {
    limiter.tryAcquire(key, 3);
    staged.calls.clear();
  }

  private void exhaustAndDeny(String key) {
    exhaust(key);
    assertThat(limiter.tryAcquire(key, 1).allowed()).isFalse();
    staged.calls.clear();
  }

  @Test
  void aThousandDeniedRequestsAskTheLimiterOnce() {
    exhaust("a");
    for (int i = 0; i < 500; i++) {
      assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
      assertThat(limiter.tryAcquireAsync("a", 1).toCompletableFuture().join().allowed()).isFalse();
    }
    assertThat(staged.calls).containsExactly("tryAcquire a 1");
  }

  @Test
  void theLimiterIsAskedAgainAMicrosecondBeforeItsWaitIsOver() {
    exhaustAndDeny("a");
    clock.advance(SECOND.minus(MICRO).minusNanos(1));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
    assertThat(staged.calls).isEmpty();
    clock.move(1);
    assertThat(limiter.tryAcquire("a", 1)).isEqualTo(Decision.denied(3, 0, MICRO, MICRO));
    assertThat(staged.calls).containsExactly("tryAcquire a 1");
    clock.advance(MICRO);
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  void theVerdictIsCountedFromBeforeTheCallAndTheWaitsFromAfterIt() {
    limiter.tryAcquire("a", 2);
    clock.advance(Duration.ofMillis(500));
    limiter.tryAcquire("a", 1);
    staged.onTheWay = () -> clock.advance(Duration.ofMillis(100));
    assertThat(limiter.tryAcquireAsync("a", 3).toCompletableFuture())
        .isCompletedWithValue(
            Decision.denied(3, 0, Duration.ofMillis(900), Duration.ofMillis(900)));
    staged.calls.clear();

    clock.advance(Duration.ofMillis(799));
    assertThat(limiter.tryAcquire("a", 3))
        .isEqualTo(Decision.denied(3, 0, Duration.ofMillis(101), Duration.ofMillis(101)));
    assertThat(staged.calls).isEmpty();
    clock.advance(Duration.ofMillis(1));
    limiter.tryAcquire("a", 3);
    assertThat(staged.calls).hasSize(1);
  }

  @Test
  void eachWaitIsWhatIsLeftOfItRoundedUpToMicroseconds() {
    limiter.tryAcquire("a", 1);
    clock.advance(Duration.ofMillis(400));
    limiter.tryAcquire("a", 1);
    assertThat(limiter.tryAcquire("a", 2))
        .isEqualTo(Decision.denied(3, 1, Duration.ofMillis(600), SECOND));
    clock.advance(Duration.ofMillis(100).plusNanos(1));
    assertThat(limiter.tryAcquire("a", 2))
        .isEqualTo(Decision.denied(3, 1, Duration.ofMillis(500), Duration.ofMillis(900)));
  }

  @Test
  void whatRemainsIsThatOfTheCachedDenial() {
    RateLimiter bucket = InMemoryTokenBucket.create(TokenBucketPolicy.of(5, 1, SECOND), options);
    RateLimiter cached = DenialCachingRateLimiter.builder(bucket).clock(clock).build();
    cached.tryAcquire("a", 5);
    cached.tryAcquire("a", 5);
    clock.advance(Duration.ofSeconds(2));
    assertThat(bucket.peek("a", 5).remaining()).isEqualTo(2);
    assertThat(cached.tryAcquire("a", 5).remaining()).isZero();
  }

  @Test
  void aRequestForOtherPermitsIsDecidedByTheLimiter() {
    limiter.tryAcquire("a", 1);
    assertThat(limiter.tryAcquire("a", 3).allowed()).isFalse();
    assertThat(limiter.tryAcquire("a", 2).allowed()).isTrue();
  }

  @Test
  void anotherKeyIsDecidedByTheLimiter() {
    exhaustAndDeny("a");
    assertThat(limiter.tryAcquire("b", 1).allowed()).isTrue();
  }

  @Test
  void anAdmissionEndsTheCachedDenialSoThatWaitsAreNotTooShort() {
    limiter.tryAcquire("a", 2);
    clock.advance(Duration.ofMillis(900));
    assertThat(limiter.tryAcquire("a", 3).retryAfter()).isEqualTo(Duration.ofMillis(100));
    limiter.tryAcquire("a", 1);
    assertThat(limiter.tryAcquire("a", 3).retryAfter()).isEqualTo(SECOND);
  }

  @Test
  void aRequestOverTheLimitIsNeverAdmittedAndCachedUntilTheKeyIsAsNew() {
    limiter.tryAcquire("a", 2);
    limiter.tryAcquire("a", 4);
    staged.calls.clear();
    clock.advance(Duration.ofMillis(300));
    assertThat(limiter.tryAcquire("a", 4))
        .isEqualTo(Decision.denied(3, 1, Decision.NEVER, Duration.ofMillis(700)));
    assertThat(staged.calls).isEmpty();
    clock.advance(Duration.ofMillis(700));
    assertThat(limiter.tryAcquire("a", 4))
        .isEqualTo(Decision.denied(3, 3, Decision.NEVER, Duration.ZERO));
    limiter.tryAcquire("a", 4);
    assertThat(staged.calls).hasSize(2);
  }

  @Test
  void aResetAfterThatIsTooShortIsLiftedToRetryAfter() {
    RateLimiter odd = answering(Decision.denied(3, 0, SECOND, Duration.ZERO));
    RateLimiter cached = DenialCachingRateLimiter.builder(odd).clock(clock).build();
    cached.tryAcquire("a", 1);
    clock.advance(Duration.ofMillis(250));
    assertThat(cached.tryAcquire("a", 1))
        .isEqualTo(Decision.denied(3, 0, Duration.ofMillis(750), Duration.ofMillis(750)));
  }

  @Test
  void waitsOfCenturiesAreNotCached() {
    Duration centuries = Duration.ofDays(300 * 366);
    for (Decision decision :
        List.of(
            Decision.denied(3, 0, centuries, centuries),
            Decision.denied(3, 0, SECOND, centuries),
            Decision.denied(3, 0, Decision.NEVER, Decision.NEVER))) {
      DenialCachingRateLimiter cached =
          DenialCachingRateLimiter.builder(answering(decision)).clock(clock).build();
      assertThat(cached.tryAcquire("a", 1)).isSameAs(decision);
      assertThat(cached.cachedKeys()).isZero();
    }
  }

  @Test
  void peekIsAnsweredFromTheCacheAndDoesNotFillIt() {
    exhaust("a");
    assertThat(limiter.peek("a", 1).allowed()).isFalse();
    assertThat(limiter.cachedKeys()).isZero();
    limiter.tryAcquire("a", 1);
    clock.advance(Duration.ofMillis(1));
    assertThat(limiter.peek("a", 1)).isEqualTo(store.peek("a", 1));
    assertThat(staged.calls).containsExactly("peek a 1", "tryAcquire a 1");
  }

  @Test
  void aKeyThatIsResetBehavesAsNew() {
    exhaustAndDeny("a");
    limiter.reset("a");
    assertThat(limiter.tryAcquire("a", 3).allowed()).isTrue();
  }

  @Test
  void aDenialThatIsUnderWayWhileItsKeyIsResetIsNotCached() {
    exhaust("a");
    staged.holds = true;
    CompletionStage<Decision> underWay = limiter.tryAcquireAsync("a", 1);
    limiter.reset("a");
    staged.answer();
    assertThat(underWay.toCompletableFuture().join().allowed()).isFalse();
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  void aDenialFromWithinAResetIsNotCached() {
    exhaust("a");
    staged.onTheWay =
        () -> {
          staged.onTheWay = () -> {};
          assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
        };
    limiter.reset("a");
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  void aDenialThatIsUnderWayWhileAnotherKeyIsResetIsCached() {
    exhaust("a");
    staged.holds = true;
    limiter.tryAcquireAsync("a", 1);
    limiter.reset("b");
    staged.answer();
    staged.calls.clear();
    limiter.tryAcquire("a", 1);
    assertThat(staged.calls).isEmpty();
  }

  @Test
  void aResetThatFailsEndsTheCachedDenialAsItMayHaveHappened() {
    exhaustAndDeny("a");
    staged.failure = new RateLimiterUnavailableException("no answer", null);
    assertThatThrownBy(() -> limiter.reset("a")).isSameAs(staged.failure);
    staged.failure = null;
    store.reset("a");
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  void aHitIsACompletedStageAndAMissFillsTheCacheBeforeItsCallerGoesOn() {
    exhaust("a");
    staged.holds = true;
    CompletableFuture<Decision> miss = limiter.tryAcquireAsync("a", 1).toCompletableFuture();
    CompletableFuture<Decision> next =
        miss.thenCompose(decision -> limiter.tryAcquireAsync("a", 1)).toCompletableFuture();
    assertThat(miss).isNotDone();
    staged.answer();
    assertThat(miss).isCompletedWithValue(Decision.denied(3, 0, SECOND, SECOND));
    assertThat(next).isCompletedWithValue(Decision.denied(3, 0, SECOND, SECOND));
    assertThat(staged.calls).containsExactly("tryAcquireAsync a 1");
  }

  @Test
  void anAsynchronousAdmissionEndsTheCachedDenial() {
    limiter.tryAcquire("a", 1);
    limiter.tryAcquire("a", 3);
    limiter.tryAcquireAsync("a", 1);
    assertThat(limiter.cachedKeys()).isZero();
  }

  @Test
  void failuresPassAndAreNotCached() {
    exhaust("a");
    for (RuntimeException failure :
        List.of(
            new RateLimiterUnavailableException("no answer", null),
            new IllegalStateException("bug"))) {
      staged.failure = failure;
      assertThatExceptionOfType(failure.getClass())
          .isThrownBy(() -> limiter.tryAcquire("a", 1))
          .isSameAs(failure);
      assertThat(limiter.tryAcquireAsync("a", 1).handle((d, e) -> e).toCompletableFuture())
          .isCompletedWithValue(failure);
      assertThatThrownBy(() -> limiter.peek("a", 1)).isSameAs(failure);
    }
    assertThat(limiter.cachedKeys()).isZero();
    assertThat(staged.calls).hasSize(6);
  }

  @Test
  void aCachedDenialNeedsNoStore() {
    exhaustAndDeny("a");
    staged.failure = new RateLimiterUnavailableException("no answer", null);
    assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
  }

  @Test
  void aDenialFromLaterThanNowIsNotUsed() {
    AtomicLong now = new AtomicLong();
    RateLimiter cached = DenialCachingRateLimiter.builder(staged).ticker(now::get).build();
    exhaust("a");
    cached.tryAcquire("a", 1);
    now.set(-1);
    cached.tryAcquire("a", 1);
    assertThat(staged.calls).containsExactly("tryAcquire a 1", "tryAcquire a 1");
  }

  @Test
  void whereTheClockStepsBackAllDenialsAreForgotten() {
    exhaustAndDeny("a");
    clock.advance(Duration.ofMillis(500));
    limiter.peek("b", 1);
    clock.move(-1);
    limiter.peek("b", 1);
    assertThat(limiter.cachedKeys()).isZero();
  }

  @Test
  void aDenialDuringWhichTheClockSteppedBackIsNotCached() {
    exhaust("a");
    staged.onTheWay = () -> clock.move(-1_000_000);
    limiter.tryAcquire("a", 1);
    assertThat(limiter.cachedKeys()).isZero();
  }

  @Test
  void aDenialThatIsOverBeforeItIsAnsweredIsNotCached() {
    exhaust("a");
    staged.holds = true;
    limiter.tryAcquireAsync("a", 1);
    clock.advance(SECOND.minus(MICRO));
    staged.answer();
    assertThat(limiter.cachedKeys()).isZero();
  }

  @Test
  void noMoreKeysAreCachedThanTheBound() {
    DenialCachingRateLimiter bounded =
        DenialCachingRateLimiter.builder(answering(Decision.denied(3, 0, SECOND, SECOND)))
            .clock(clock)
            .maxKeys(10)
            .build();
    for (int i = 0; i < 1_000; i++) {
      assertThat(bounded.tryAcquire("key " + i, 1).allowed()).isFalse();
      assertThat(bounded.cachedKeys()).isBetween(1L, 10L);
    }
    assertThat(bounded.cachedKeys()).isEqualTo(10);
  }

  @Test
  void tenThousandKeysAreCachedUnlessSomethingElseIsSaid() {
    DenialCachingRateLimiter cached =
        DenialCachingRateLimiter.of(
            answering(Decision.denied(3, 0, Duration.ofDays(1), Duration.ofDays(1))));
    for (int i = 0; i < 10_100; i++) {
      cached.tryAcquire("key " + i, 1);
    }
    assertThat(cached.cachedKeys()).isEqualTo(10_000);
  }

  @Test
  void whatIsOverIsReleased() {
    for (int i = 0; i < 100; i++) {
      exhaustAndDeny("key " + i);
    }
    assertThat(limiter.cachedKeys()).isEqualTo(100);
    clock.advance(Duration.ofSeconds(10));
    assertThat(limiter.cachedKeys()).isZero();
  }

  @Test
  void badArgumentsAreRefusedOnAHitToo() {
    exhaustAndDeny("a");
    assertThatNullPointerException().isThrownBy(() -> limiter.tryAcquire(null, 1));
    assertThatNullPointerException().isThrownBy(() -> limiter.tryAcquireAsync(null, 1));
    assertThatNullPointerException().isThrownBy(() -> limiter.peek(null, 1));
    assertThatNullPointerException().isThrownBy(() -> limiter.reset(null));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("a", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("a", -1));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek("", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.reset(""));
    assertThat(staged.calls).isEmpty();
  }

  @Test
  void badOptionsAreRefused() {
    assertThatNullPointerException().isThrownBy(() -> DenialCachingRateLimiter.of(null));
    assertThatNullPointerException()
        .isThrownBy(() -> DenialCachingRateLimiter.builder(staged).clock(null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialCachingRateLimiter.builder(staged).maxKeys(0))
        .withMessage("maxKeys is 0, must be at least 1");
  }

  @Test
  void aClockOutsideOfItsBoundsIsRefused() {
    RateLimiter late = DenialCachingRateLimiter.builder(staged).clock(() -> Instant.MAX).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> late.tryAcquire("a", 1))
        .withMessageStartingWith("the clock says ");
  }

  @Test
  void thePolicyIsThatOfTheLimiter() {
    assertThat(limiter.policy()).isSameAs(store.policy());
  }

  @Test
  void byDefaultTheTimeIsThatOfTheSystem() {
    Decision denial = Decision.denied(3, 0, Duration.ofDays(1), Duration.ofDays(2));
    RateLimiter cached = DenialCachingRateLimiter.of(answering(denial));
    long start = System.nanoTime();
    cached.tryAcquire("a", 1);
    Decision hit = cached.tryAcquire("a", 1);
    Duration most = Duration.ofNanos(System.nanoTime() - start);
    assertThat(hit).isNotSameAs(denial);
    assertThat(hit.retryAfter()).isBetween(Duration.ofDays(1).minus(most), Duration.ofDays(1));
    assertThat(hit.resetAfter()).isBetween(Duration.ofDays(2).minus(most), Duration.ofDays(2));
  }

  /** A limiter that always says the same. */
  private static RateLimiter answering(Decision decision) {
    return new Answering(SlidingWindowPolicy.of(3, SECOND), decision);
  }

  private record Answering(SlidingWindowPolicy policy, Decision decision) implements RateLimiter {
    @Override
    public Decision tryAcquire(String key, long permits) {
      return decision;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedStage(decision);
    }

    @Override
    public Decision peek(String key, long permits) {
      return decision;
    }

    @Override
    public void reset(String key) {}
  }
}
