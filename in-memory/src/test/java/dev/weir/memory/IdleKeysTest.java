package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key takes memory as long as its state has a meaning, and only a bounded time longer. */
class IdleKeysTest {

  private static final Duration LIFE = Duration.ofSeconds(1);
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final long LIMIT = 1_000_000;
  private static final Quota QUOTA = Quota.of(LIMIT, LIFE);

  private final VirtualClock clock = VirtualClock.atMidnight();
  private final InMemoryOptions options =
      InMemoryOptions.defaults().withStore(InMemoryStore.create()).withClock(clock);

  /** A request for a key after a pause, or, if that is negative, after the clock stepped back. */
  record Step(long pause, int key, long permits) {}

  @Property
  void releaseChangesNoDecisionWhileTheClockGoesForward(
      @ForAll Algorithm algorithm, @ForAll("steps") List<Step> steps) {
    Quota quota = Quota.of(4, Duration.ofMillis(1));
    RateLimiter limiter = algorithm.create(quota, withNewStore());
    Map<String, Algorithm.Key> models = new HashMap<>();
    for (Step step : steps) {
      clock.move(step.pause);
      String key = "key " + step.key;
      Algorithm.Key model = models.computeIfAbsent(key, k -> algorithm.newKey(quota));
      assertThat(limiter.tryAcquire(key, step.permits))
          .as("%s", step)
          .isEqualTo(model.tryAcquire(step.permits, clock.micros()));
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return steps(
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 300), Arbitraries.of(1L, 250L, 999L, 1_000L, 2_500L)),
        8,
        Arbitraries.longs().between(1, 5));
  }

  @Provide
  Arbitrary<List<Step>> stepsForwardAndBack() {
    return steps(
        Arbitraries.of(-1_000L, -1L, -1L, 1L, 1L, 1L, 300L, 999L, 1_000L, 1_000L),
        2,
        Arbitraries.just(1L));
  }

  private static Arbitrary<List<Step>> steps(
      Arbitrary<Long> pauses, int keys, Arbitrary<Long> permits) {
    return Combinators.combine(pauses, Arbitraries.integers().between(1, keys), permits)
        .as(Step::new)
        .list()
        .ofMaxSize(100);
  }

  @Property
  void releaseLetsNoKeyExceedItsBoundInTrueTimeAlthoughTheClockStepsBack(
      @ForAll Algorithm algorithm, @ForAll("stepsForwardAndBack") List<Step> steps) {
    InMemoryLimiter<?, ?> limiter =
        algorithm.create(Quota.of(1, Duration.ofMillis(1)), withNewStore());
    Map<Integer, List<long[]>> admissions = new HashMap<>();
    long trueTime = 0;
    for (Step step : steps) {
      clock.move(step.pause);
      trueTime += Math.max(0, step.pause);
      limiter.releaseIdleKeys();
      if (limiter.tryAcquire("key " + step.key, step.permits).allowed()) {
        List<long[]> own = admissions.computeIfAbsent(step.key, key -> new ArrayList<>());
        own.add(new long[] {trueTime, step.permits});
        long sum = 0;
        for (int i = own.size() - 1; i >= 0; i--) {
          sum += own.get(i)[1];
          Duration interval = Micros.toDuration(trueTime - own.get(i)[0] + 1);
          assertThat(sum)
              .as("%s in %s", step, interval)
              .isLessThanOrEqualTo(limiter.policy().admissionBound(interval));
        }
      }
    }
  }

  @Test
  void aFixedWindowIsNotForgottenWhileTheClockCanReturnToIt() {
    InMemoryLimiter<?, ?> limiter = Algorithm.FIXED_WINDOW.create(Quota.of(1, LIFE), options);
    clock.advance(MICRO.negated());
    limiter.tryAcquire("key"); // the end of one window
    clock.advance(MICRO);
    limiter.tryAcquire("key"); // the start of the next
    clock.advance(LIFE);
    limiter.releaseIdleKeys();
    clock.advance(MICRO.negated()); // back to the end of that

    assertThat(limiter.tryAcquire("key").allowed()).isFalse();
  }

  @Property(tries = 100)
  void anIdleKeyIsReleasedAfterOnceMoreItsTimeAndHalfAsManyAdmittedRequestsAsThereAreKeys(
      @ForAll Algorithm algorithm,
      @ForAll @Size(min = 1, max = 300) List<@IntRange(max = 20_000) Integer> pauses) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, withNewStore());
    for (int pause : pauses) {
      clock.move(pause);
      limiter.tryAcquire("key at " + clock.micros(), LIMIT);
    }
    clock.advance(algorithm.retention(limiter)); // now all are as new
    long quarter = limiter.keys() / 4 + 1;
    requests(quarter, limiter); // these may have to end a pass that met some before they were
    clock.advance(algorithm.retention(limiter));
    requests(quarter, limiter);
    assertThat(limiter.keys()).isEqualTo(1);
  }

  private static void requests(long number, RateLimiter limiter) {
    for (long i = 0; i < number; i++) {
      limiter.tryAcquire("busy");
    }
  }

  @Test
  void oneRequestReleasesAFewKeysAndNotMore() {
    InMemoryLimiter<?, ?> limiter = Algorithm.SLIDING_WINDOW_LOG.create(QUOTA, options);
    for (int i = 0; i < 100; i++) {
      limiter.tryAcquire("key " + i);
    }
    clock.advance(LIFE);
    long keys = 101;
    while (keys > 1) {
      limiter.tryAcquire("busy");
      assertThat(limiter.keys()).isBetween(Math.max(1, keys - 4), keys - 1);
      keys = limiter.keys();
    }
  }

  @ParameterizedTest
  @EnumSource
  void stateIsKeptUntilItLosesItsMeaningAndNotLonger(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options);
    clock.advance(LIFE.dividedBy(3));
    limiter.tryAcquire("key", LIMIT);

    clock.advance(algorithm.retention(limiter).minus(MICRO));
    assertThat(limiter.releaseIdleKeys()).isZero();
    assertThat(limiter.keys()).isEqualTo(1);

    clock.advance(MICRO);
    assertThat(limiter.releaseIdleKeys()).isEqualTo(1);
    assertThat(limiter.keys()).isZero();
  }

  @Test
  void aBucketIsReleasedAsSoonAsItIsFull() {
    InMemoryTokenBucket limiter =
        InMemoryTokenBucket.create(
            TokenBucketPolicy.of(100, 100, Duration.ofSeconds(100)), options);
    limiter.tryAcquire("key", 3);

    clock.advance(Duration.ofSeconds(3).minus(MICRO));
    assertThat(limiter.releaseIdleKeys()).isZero();

    clock.advance(MICRO);
    assertThat(limiter.releaseIdleKeys()).isEqualTo(1);
  }

  @Test
  void aPolicyThatWasThereBeforeIsNotForgottenWhenItsSuccessorIsUsedAgain() {
    InMemoryTokenBucket.create(TokenBucketPolicy.of(100, 100, Duration.ofSeconds(100)), options);
    TokenBucketPolicy faster = TokenBucketPolicy.of(100, 100, LIFE);
    InMemoryTokenBucket.create(faster, options);
    InMemoryTokenBucket limiter = InMemoryTokenBucket.create(faster, options);
    limiter.tryAcquire("key", 3);

    clock.advance(LIFE);
    assertThat(limiter.releaseIdleKeys()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whereTwoPoliciesShareAStateItIsKeptForTheLongerTime(Algorithm algorithm) {
    InMemoryLimiter<?, ?> shorter = algorithm.create(QUOTA, options);
    algorithm.create(Quota.of(LIMIT, LIFE.multipliedBy(2)), options);
    InMemoryLimiter<?, ?> again = algorithm.create(QUOTA, options);
    again.tryAcquire("key");

    clock.advance(algorithm.retention(shorter).multipliedBy(2).minus(MICRO));
    assertThat(shorter.releaseIdleKeys()).isZero();

    clock.advance(MICRO);
    assertThat(shorter.releaseIdleKeys()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnAdmissionCreatesState(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options);

    limiter.peek("key");
    limiter.reset("key");
    limiter.tryAcquire("key", LIMIT + 1);
    limiter.tryAcquire("key", Long.MAX_VALUE);
    assertThat(limiter.keys()).isZero();

    limiter.tryAcquire("key", LIMIT);
    assertThat(limiter.keys()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aDenialReleasesNothing(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options);
    limiter.tryAcquire("idle");
    clock.advance(algorithm.retention(limiter));

    limiter.tryAcquire("idle", LIMIT + 1);
    assertThat(limiter.keys()).isEqualTo(1);

    limiter.tryAcquire("busy");
    assertThat(limiter.keys()).isEqualTo(1);
  }

  @Test
  void aResetKeyIsReleasedBeforeItsTimeIsOver() {
    VirtualClock in1970 = new VirtualClock(0); // where "never" is no long time ago
    InMemoryLimiter<?, ?> limiter =
        Algorithm.SLIDING_WINDOW_LOG.create(QUOTA, options.withClock(in1970));
    limiter.tryAcquire("key");
    limiter.reset("key");

    assertThat(limiter.releaseIdleKeys()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyWhoseLastAdmissionIsAheadOfTheClockIsKept(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options);
    limiter.tryAcquire("key");
    clock.advance(LIFE.multipliedBy(-10));

    assertThat(limiter.releaseIdleKeys()).isZero();
  }

  @Test
  void sweepsGoOnAfterTheClockSteppedBack() {
    InMemoryLimiter<?, ?> limiter = Algorithm.SLIDING_WINDOW_LOG.create(QUOTA, options);
    limiter.tryAcquire("ahead");
    clock.advance(LIFE.multipliedBy(-1_000));
    limiter.tryAcquire("idle");
    clock.advance(LIFE);
    limiter.tryAcquire("busy");

    assertThat(limiter.keys()).isEqualTo(2); // the one ahead and the busy one
  }

  @Test
  void aClockThatFailsLeavesNoStateBehind() {
    boolean[] broken = {true};
    InMemoryLimiter<?, ?> limiter =
        Algorithm.FIXED_WINDOW.create(
            QUOTA,
            options.withClock(
                () -> {
                  if (broken[0]) {
                    throw new IllegalStateException("no time");
                  }
                  return clock.instant();
                }));
    assertThatIllegalStateException().isThrownBy(() -> limiter.tryAcquire("key"));
    broken[0] = false;

    limiter.releaseIdleKeys();
    assertThat(limiter.keys()).isZero();
  }

  /** For properties, whose tries run on one instance of this class. */
  private InMemoryOptions withNewStore() {
    return options.withStore(InMemoryStore.create());
  }
}
