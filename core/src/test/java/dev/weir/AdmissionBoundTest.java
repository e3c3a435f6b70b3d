package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Proves each policy's bound against limiters that are too simple to be wrong. */
class AdmissionBoundTest {

  private static final int WINDOW = 1_000; // microseconds, the shortest window there is

  /** What was admitted when: one entry a microsecond. */
  private static final class Admitted extends TreeMap<Long, Long> {
    private static final long serialVersionUID = 1L;

    long between(long from, long to) {
      return subMap(from, to).values().stream().mapToLong(Long::longValue).sum();
    }

    /** Takes as much of the demand as the rule leaves room for. */
    void demand(long now, long permits, LongBinaryOperator roomAtGivenUsed) {
      long room = roomAtGivenUsed.applyAsLong(now, permits);
      if (room > 0) {
        merge(now, Math.min(room, permits), Long::sum);
      }
    }
  }

  private static Admitted fixedWindow(long limit, List<Long> times, long permits) {
    Admitted admitted = new Admitted();
    for (long now : times) {
      long start = now - now % WINDOW;
      admitted.demand(now, permits, (t, n) -> limit - admitted.between(start, start + WINDOW));
    }
    return admitted;
  }

  private static Admitted slidingWindow(long limit, List<Long> times, long permits) {
    Admitted admitted = new Admitted();
    for (long now : times) {
      admitted.demand(now, permits, (t, n) -> limit - admitted.between(now - WINDOW + 1, now + 1));
    }
    return admitted;
  }

  private static Admitted slidingWindowCounter(long limit, List<Long> times, long permits) {
    Admitted admitted = new Admitted();
    for (long now : times) {
      long start = now - now % WINDOW;
      long current = admitted.between(start, start + WINDOW);
      long previous = admitted.between(start - WINDOW, start);
      // Multiplied by the window, so no fraction: what is free is rounded down at the end.
      long free = (limit - current) * WINDOW - previous * (start + WINDOW - now);
      admitted.demand(now, permits, (t, n) -> Math.floorDiv(free, WINDOW));
    }
    return admitted;
  }

  private static Admitted tokenBucket(long capacity, long refill, List<Long> times, long permits) {
    Admitted admitted = new Admitted();
    long[] levelTimesWindow = {capacity * WINDOW}; // tokens in units of 1 / WINDOW, so no fraction
    long[] last = {0};
    for (long now : times) {
      levelTimesWindow[0] =
          Math.min(capacity * WINDOW, levelTimesWindow[0] + refill * (now - last[0]));
      last[0] = now;
      long before = admitted.getOrDefault(now, 0L);
      admitted.demand(now, permits, (t, n) -> levelTimesWindow[0] / WINDOW);
      levelTimesWindow[0] -= (admitted.getOrDefault(now, 0L) - before) * WINDOW;
    }
    return admitted;
  }

  private static List<Long> timesOf(List<Integer> pauses) {
    List<Long> times = new ArrayList<>();
    long now = 0;
    for (int pause : pauses) {
      now += pause;
      times.add(now);
    }
    return times;
  }

  private static List<Long> always(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private static void assertBoundHolds(Policy policy, Admitted admitted) {
    for (long from : admitted.keySet()) {
      for (long last : admitted.tailMap(from).keySet()) {
        long length = last - from + 1;
        assertThat(admitted.between(from, last + 1))
            .as("admitted in %d us by %s", length, policy)
            .isLessThanOrEqualTo(policy.admissionBound(micros(length)));
      }
    }
  }

  private static void assertBoundIsReached(Policy policy, Admitted admittedOfAlways) {
    for (int length = 1; length <= 3_500; length++) {
      assertThat(admittedOfAlways.between(0, length))
          .as("admitted in %d us by %s", length, policy)
          .isEqualTo(policy.admissionBound(micros(length)));
    }
  }

  @Property(tries = 300)
  void noTrafficThroughAFixedWindowExceedsItsBound(
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll @Size(max = 20) List<@IntRange(max = 1_200) Integer> pauses) {
    assertBoundHolds(
        FixedWindowPolicy.of(limit, micros(WINDOW)), fixedWindow(limit, timesOf(pauses), 2));
  }

  @Property(tries = 300)
  void noTrafficThroughASlidingWindowExceedsItsBound(
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll @Size(max = 20) List<@IntRange(max = 1_200) Integer> pauses) {
    assertBoundHolds(
        SlidingWindowPolicy.of(limit, micros(WINDOW)), slidingWindow(limit, timesOf(pauses), 2));
  }

  @Property(tries = 300)
  void noTrafficThroughASlidingWindowCounterExceedsItsBound(
      @ForAll @IntRange(min = 1, max = 6) int limit,
      @ForAll @IntRange(min = 1, max = 6) int permits,
      @ForAll @Size(max = 40) List<@IntRange(max = 700) Integer> pauses) {
    assertBoundHolds(
        SlidingWindowCounterPolicy.of(limit, micros(WINDOW)),
        slidingWindowCounter(limit, timesOf(pauses), permits));
  }

  @Property(tries = 300)
  void noTrafficThroughATokenBucketExceedsItsBound(
      @ForAll @IntRange(min = 1, max = 6) int capacity,
      @ForAll @IntRange(min = 1, max = 4) int refill,
      @ForAll @Size(max = 20) List<@IntRange(max = 1_200) Integer> pauses) {
    assertBoundHolds(
        TokenBucketPolicy.of(capacity, refill, micros(WINDOW)),
        tokenBucket(capacity, refill, timesOf(pauses), 2));
  }

  @Test
  void someIntervalTouchesAsManyFixedWindowsAsTheBoundSays() {
    FixedWindowPolicy policy = FixedWindowPolicy.of(1, micros(WINDOW));
    for (int length = 1; length <= 3_500; length++) {
      long most = 0;
      for (long from = 0; from < WINDOW; from++) {
        most = Math.max(most, (from + length - 1) / WINDOW - from / WINDOW + 1);
      }
      assertThat(policy.admissionBound(micros(length))).as("in %d us", length).isEqualTo(most);
    }
  }

  @Test
  void aSlidingWindowThatIsAlwaysAskedReachesItsBound() {
    for (int limit = 1; limit <= 4; limit++) {
      assertBoundIsReached(
          SlidingWindowPolicy.of(limit, micros(WINDOW)),
          slidingWindow(limit, always(0, 3_500), limit));
    }
  }

  /** The weight of what is admitted right before a border is lost from the border on. */
  @Test
  void aSlidingWindowCounterThatIsAlwaysAskedFromBeforeABorderMissesItsBoundByAMicrosecond() {
    for (int limit = 1; limit <= 40; limit++) {
      SlidingWindowCounterPolicy policy = SlidingWindowCounterPolicy.of(limit, micros(WINDOW));
      Admitted admitted = slidingWindowCounter(limit, always(WINDOW - 1, 2 * WINDOW), limit);
      for (int length = 2; length <= WINDOW + 1; length++) {
        assertThat(admitted.between(0, WINDOW - 1 + length))
            .as("admitted in %d us by %s", length, policy)
            .isEqualTo(policy.admissionBound(micros(length - 1)));
      }
    }
  }

  @Test
  void aSlidingWindowCounterReachesItsBoundOverAWindowOfTwoMicrosecondsAPermit() {
    for (int limit = 1; limit <= WINDOW / 2; limit++) {
      SlidingWindowCounterPolicy policy = SlidingWindowCounterPolicy.of(limit, micros(WINDOW));
      assertThat(
              slidingWindowCounter(limit, always(WINDOW - 1, 2 * WINDOW - 1), limit)
                  .between(0, 3 * WINDOW))
          .as("admitted by %s", policy)
          .isEqualTo(policy.admissionBound(micros(WINDOW)))
          .isEqualTo(2 * limit - 1);
    }
  }

  @Test
  void aTokenBucketThatIsAlwaysAskedReachesItsBoundWhereNothingFlowsOver() {
    for (int capacity = 2; capacity <= 6; capacity++) {
      for (int refill = 1; refill <= 4; refill++) {
        assertBucketReachesItsBound(capacity, refill);
      }
    }
    for (int wholeMicrosecondsAToken : List.of(1, 2, 4)) {
      assertBucketReachesItsBound(1, wholeMicrosecondsAToken);
    }
  }

  private static void assertBucketReachesItsBound(int capacity, int refill) {
    assertBoundIsReached(
        TokenBucketPolicy.of(capacity, refill, micros(WINDOW)),
        tokenBucket(capacity, refill, always(0, 3_500), capacity));
  }

  /**
   * A third of 1,000 us ends within a microsecond; what else flows in that one finds the bucket
   * full.
   */
  @Test
  void aTokenBucketOfOneLosesWhatFlowsOverWithinTheMicrosecondThatFillsIt() {
    TokenBucketPolicy policy = TokenBucketPolicy.of(1, 3, micros(WINDOW));
    Admitted admitted = tokenBucket(1, 3, always(0, 3_500), 1);
    for (int length = 1; length <= 3_500; length++) {
      assertThat(admitted.between(0, length))
          .as("admitted in %d us by %s", length, policy)
          .isEqualTo(1 + (length - 1) / 334)
          .isBetween(
              policy.admissionBound(micros(length)) - 1, policy.admissionBound(micros(length)));
    }
  }

  @Property
  void boundsAreExactOverTheWholeRange(
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long limit,
      @ForAll @LongRange(min = 1_000, max = 31_622_400_000_000L) long windowMicros,
      @ForAll @LongRange(min = 1) long lengthMicros) {
    BigInteger l = BigInteger.valueOf(limit);
    BigInteger w = BigInteger.valueOf(windowMicros);
    BigInteger d = BigInteger.valueOf(lengthMicros);
    BigInteger one = BigInteger.ONE;
    Duration window = micros(windowMicros);
    Duration length = micros(lengthMicros);

    assertThat(FixedWindowPolicy.of(limit, window).admissionBound(length))
        .isEqualTo(saturated(ceil(d.subtract(one), w).add(one).multiply(l)));
    assertThat(SlidingWindowPolicy.of(limit, window).admissionBound(length))
        .isEqualTo(saturated(ceil(d, w).multiply(l)));
    assertThat(SlidingWindowCounterPolicy.of(limit, window).admissionBound(length))
        .isEqualTo(saturated(l.add(d.subtract(one).multiply(l).divide(w))));
    assertThat(TokenBucketPolicy.of(limit, limit, window).admissionBound(length))
        .isEqualTo(saturated(l.multiply(d).min(l.add(d.subtract(one).multiply(l).divide(w)))));
  }

  private static BigInteger ceil(BigInteger dividend, BigInteger divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(divisor);
    return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
  }

  private static long saturated(BigInteger value) {
    return value.bitLength() > 63 ? Long.MAX_VALUE : value.longValueExact();
  }

  private static final List<Policy> POLICIES =
      List.of(
          FixedWindowPolicy.of(3, micros(WINDOW)),
          SlidingWindowPolicy.of(3, micros(WINDOW)),
          SlidingWindowCounterPolicy.of(3, micros(WINDOW)),
          TokenBucketPolicy.of(3, 2, micros(WINDOW)));

  @Test
  void nothingIsAdmittedInNoTime() {
    for (Policy policy : POLICIES) {
      assertThat(policy.admissionBound(Duration.ZERO)).isZero();
      assertThat(policy.admissionBound(Duration.ofNanos(-1))).isZero();
      assertThat(policy.admissionBound(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    }
    TokenBucketPolicy fast = TokenBucketPolicy.of(1, 1_000_000_000_000L, Duration.ofMillis(1));
    assertThat(fast.admissionBound(Duration.ZERO)).isZero();
  }

  @Test
  void partsOfAMicrosecondCountAsAWholeOne() {
    for (Policy policy : POLICIES) {
      assertThat(policy.admissionBound(Duration.ofNanos(1)))
          .isEqualTo(policy.admissionBound(micros(1)))
          .isEqualTo(3);
      assertThat(policy.admissionBound(Duration.ofNanos(1_000_001)))
          .isEqualTo(policy.admissionBound(micros(1_001)));
    }
  }

  @Test
  void aBoundThatNoLongHoldsIsTheGreatestLong() {
    Policy greatest = SlidingWindowPolicy.of(1_000_000_000_000L, micros(WINDOW));
    assertThat(greatest.admissionBound(Decision.NEVER)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aNullIntervalIsRefused() {
    for (Policy policy : POLICIES) {
      assertThatNullPointerException().isThrownBy(() -> policy.admissionBound(null));
    }
  }
}
