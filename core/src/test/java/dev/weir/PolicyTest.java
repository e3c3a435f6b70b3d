package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class PolicyTest {

  private static final long MAX = 1_000_000_000_000L;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final List<BiFunction<Long, Duration, Object>> LIMIT_PER_WINDOW =
      List.of(
          FixedWindowPolicy::of,
          SlidingWindowPolicy::of,
          SlidingWindowCounterPolicy::of,
          Quota::of,
          (limit, window) -> TokenBucketPolicy.of(limit, limit, window));

  @Test
  void theBoundsThemselvesAreAccepted() {
    for (BiFunction<Long, Duration, Object> of : LIMIT_PER_WINDOW) {
      assertThatCode(() -> of.apply(1L, Duration.ofMillis(1))).doesNotThrowAnyException();
      assertThatCode(() -> of.apply(MAX, Duration.ofDays(366))).doesNotThrowAnyException();
    }
  }

  @Test
  void aLimitOutOfBoundsIsRefusedWithItsValueAndTheBound() {
    for (BiFunction<Long, Duration, Object> of : LIMIT_PER_WINDOW) {
      for (long limit : new long[] {Long.MIN_VALUE, -1, 0, MAX + 1, Long.MAX_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> of.apply(limit, SECOND))
            .withMessageContaining(" is " + limit + ", must be from 1 to 1000000000000");
      }
    }
  }

  @Test
  void aWindowOutOfBoundsIsRefusedWithItsValueAndTheBound() {
    List<Duration> wrong =
        List.of(
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofNanos(999_999),
            Duration.ofDays(366).plusNanos(1_000),
            Duration.ofMillis(1).plusNanos(1),
            Decision.NEVER);
    for (BiFunction<Long, Duration, Object> of : LIMIT_PER_WINDOW) {
      for (Duration window : wrong) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> of.apply(1L, window))
            .withMessageContaining(
                " is " + window + ", must be from 1 ms to 366 days in whole microseconds");
      }
    }
  }

  @Test
  void aNullWindowIsRefused() {
    for (BiFunction<Long, Duration, Object> of : LIMIT_PER_WINDOW) {
      assertThatNullPointerException().isThrownBy(() -> of.apply(1L, null));
    }
  }

  @Test
  void eachNumberOfABucketIsHeldToTheBoundsByItself() {
    for (long wrong : new long[] {-1, 0, MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TokenBucketPolicy.of(wrong, MAX, SECOND))
          .withMessage("capacity is " + wrong + ", must be from 1 to 1000000000000");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TokenBucketPolicy.of(1, wrong, SECOND))
          .withMessage("refillTokens is " + wrong + ", must be from 1 to 1000000000000");
    }
  }

  @Test
  void aBucketThatTakesTooLongToFillIsRefused() {
    assertThatCode(() -> TokenBucketPolicy.of(10, 1, Duration.ofDays(366)))
        .doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenBucketPolicy.of(11, 1, Duration.ofDays(366)))
        .withMessageContaining("full after 4026 days, must be within 3660 days");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenBucketPolicy.of(MAX, 1, Duration.ofMillis(400)));
  }

  @Test
  void aQuotaBecomesThePolicyOfEveryAlgorithm() {
    Quota quota = Quota.of(100, SECOND);
    assertThat(FixedWindowPolicy.of(quota)).isEqualTo(FixedWindowPolicy.of(100, SECOND));
    assertThat(SlidingWindowPolicy.of(quota)).isEqualTo(SlidingWindowPolicy.of(100, SECOND));
    assertThat(SlidingWindowCounterPolicy.of(quota))
        .isEqualTo(SlidingWindowCounterPolicy.of(100, SECOND));
    assertThat(TokenBucketPolicy.of(quota)).isEqualTo(TokenBucketPolicy.of(100, 100, SECOND));
  }

  @Test
  void onlyTheBucketReadsTheBurst() {
    Quota quota = Quota.of(100, SECOND).withBurst(20);
    assertThat(FixedWindowPolicy.of(quota).limit()).isEqualTo(100);
    assertThat(SlidingWindowPolicy.of(quota).limit()).isEqualTo(100);
    assertThat(SlidingWindowCounterPolicy.of(quota).limit()).isEqualTo(100);
    assertThat(TokenBucketPolicy.of(quota)).isEqualTo(TokenBucketPolicy.of(20, 100, SECOND));
    assertThat(TokenBucketPolicy.of(quota).limit()).isEqualTo(20);
  }

  @Test
  void theLifeOfAWindowIsTheWindow() {
    assertThat(FixedWindowPolicy.of(3, SECOND).life()).isEqualTo(SECOND);
    assertThat(SlidingWindowPolicy.of(3, SECOND).life()).isEqualTo(SECOND);
  }

  @Test
  void theLifeOfASlidingWindowCounterIsTwoWindows() {
    assertThat(SlidingWindowCounterPolicy.of(3, SECOND).life()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void theLifeOfABucketIsTheTimeToFillItRoundedUp() {
    assertThat(TokenBucketPolicy.of(10, 3, SECOND).life())
        .isEqualTo(Duration.ofNanos(3_333_334_000L));
    assertThat(TokenBucketPolicy.of(10, 1, Duration.ofDays(366)).life())
        .isEqualTo(Duration.ofDays(3660));
  }

  @Test
  void aShareOfAPolicyIsRoundedDownButAtLeastOne() {
    assertThat(FixedWindowPolicy.of(100, SECOND).dividedBy(3))
        .isEqualTo(FixedWindowPolicy.of(33, SECOND));
    assertThat(SlidingWindowPolicy.of(2, SECOND).dividedBy(3))
        .isEqualTo(SlidingWindowPolicy.of(1, SECOND));
    assertThat(SlidingWindowCounterPolicy.of(7, SECOND).dividedBy(2))
        .isEqualTo(SlidingWindowCounterPolicy.of(3, SECOND));
    assertThat(TokenBucketPolicy.of(20, 100, SECOND).dividedBy(30))
        .isEqualTo(TokenBucketPolicy.of(1, 3, SECOND));
  }

  @Test
  void aShareOfFewerThanOneNodeIsRefused() {
    for (IntFunction<Object> dividedBy :
        List.<IntFunction<Object>>of(
            Quota.of(1, SECOND)::dividedBy,
            FixedWindowPolicy.of(1, SECOND)::dividedBy,
            SlidingWindowPolicy.of(1, SECOND)::dividedBy,
            SlidingWindowCounterPolicy.of(1, SECOND)::dividedBy,
            TokenBucketPolicy.of(1, 1, SECOND)::dividedBy)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> dividedBy.apply(0))
          .withMessage("nodes is 0, must be at least 1");
    }
  }

  @Test
  void aShareWhoseRefillIsRoundedDownTooFarIsRefused() {
    TokenBucketPolicy slow = TokenBucketPolicy.of(29, 3, Duration.ofDays(366));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> slow.dividedBy(2))
        .withMessageContaining("full after 5124 days");
  }
}
