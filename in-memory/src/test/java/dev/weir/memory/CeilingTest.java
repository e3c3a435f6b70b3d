package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.Quota;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With as many keys as it may have, a limiter lets new keys share one state. */
class CeilingTest {

  private static final Duration LIFE = Duration.ofSeconds(1);
  private static final Quota QUOTA = Quota.of(10, LIFE);

  private final VirtualClock clock = VirtualClock.atMidnight();
  private final List<String> told = new ArrayList<>();
  private final InMemoryOptions options =
      InMemoryOptions.defaults()
          .withNamespace("space")
          .withClock(clock)
          .withMaxKeys(2)
          .withOverflowListener(
              (algorithm, namespace, maxKeys) ->
                  told.add(algorithm + " " + namespace + " " + maxKeys));

  @ParameterizedTest
  @EnumSource
  void keysWithAStateAreNotTouched(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);
    for (int i = 0; i < 100; i++) {
      limiter.tryAcquire("another " + i);
    }

    assertThat(limiter.peek("first").remaining()).isZero();
    assertThat(limiter.tryAcquire("second").remaining()).isEqualTo(8);
    assertThat(limiter.keys()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void newKeysTogetherGetWhatThePolicyGivesToOne(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);

    assertThat(limiter.tryAcquire("third", 6).remaining()).isEqualTo(4);
    assertThat(limiter.tryAcquire("fourth", 5).allowed()).isFalse();
    assertThat(limiter.tryAcquire("fourth", 4).allowed()).isTrue();
    assertThat(limiter.tryAcquire("fifth").allowed()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatCanNeverBeAdmittedIsDeniedSo(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);
    limiter.tryAcquire("third", 6);

    Decision decision = limiter.tryAcquire("fourth", 11);

    assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(decision.remaining()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatFindsRoomIsChargedForWhatNewKeysShared(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);
    limiter.tryAcquire("third", 6);
    limiter.reset("first");
    limiter.releaseIdleKeys();

    assertThat(limiter.peek("third", 5).allowed()).isFalse();
    assertThat(limiter.tryAcquire("third", 5).allowed()).isFalse();
    assertThat(limiter.tryAcquire("third", 4).allowed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void allIsAsBeforeOnceTheSharedStateHasLostItsMeaning(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);
    limiter.tryAcquire("third", 10);
    clock.advance(algorithm.retention(limiter));
    limiter.releaseIdleKeys();

    assertThat(limiter.tryAcquire("third", 10).allowed()).isTrue();
    assertThat(limiter.tryAcquire("fourth", 10).allowed()).isTrue();
    assertThat(limiter.keys()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void requestsThatShareMakeRoomWithoutWaitingForTheNextPass(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = full(algorithm);
    limiter.reset("second");
    limiter.tryAcquire("third");

    limiter.tryAcquire("third");

    assertThat(limiter.keys()).isEqualTo(2);
    assertThat(limiter.peek("second", 10).allowed()).isFalse(); // shares now
  }

  @Test
  void theListenerIsToldOnceInTheLifeOfTheSharedState() {
    InMemoryLimiter<?, ?> limiter = full(Algorithm.SLIDING_WINDOW_LOG);
    assertThat(told).isEmpty();
    for (int i = 0; i < 100; i++) {
      limiter.tryAcquire("another " + i);
      limiter.peek("another " + i);
      limiter.tryAcquire("another " + i, 11);
    }
    assertThat(told).containsExactly("sliding-window space 2");

    clock.advance(LIFE);
    limiter.tryAcquire("first");
    limiter.tryAcquire("second");
    limiter.tryAcquire("third");
    assertThat(told).hasSize(2);
  }

  @Test
  void whatTheListenerThrowsDoesNotReachTheCaller() {
    InMemoryLimiter<?, ?> limiter =
        Algorithm.FIXED_WINDOW.create(
            QUOTA,
            options
                .withMaxKeys(1)
                .withOverflowListener(
                    (algorithm, namespace, maxKeys) -> {
                      throw new IllegalStateException("from a test: the listener fails");
                    }));
    limiter.tryAcquire("first");

    assertThat(limiter.tryAcquire("second").allowed()).isTrue();
  }

  @Test
  void aCeilingBelowOneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryOptions.defaults().withMaxKeys(0))
        .withMessage("maxKeys is 0, must be at least 1");
  }

  record Step(long pause, int key, long permits) {}

  @Property
  void noKeyGetsMoreThanThePolicyAdmitsHoweverItMovesBetweenOwnAndSharedState(
      @ForAll Algorithm algorithm,
      @ForAll @IntRange(min = 1, max = 3) int maxKeys,
      @ForAll("steps") List<Step> steps) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options.withMaxKeys(maxKeys));
    Map<Integer, List<long[]>> admissions = new HashMap<>();
    for (Step step : steps) {
      clock.move(step.pause);
      Decision peeked = limiter.peek("key " + step.key, step.permits);
      Decision decision = limiter.tryAcquire("key " + step.key, step.permits);
      assertThat(decision).as("peek at %s", step).isEqualTo(peeked);
      assertThat(limiter.keys()).isLessThanOrEqualTo(maxKeys);
      if (decision.allowed()) {
        List<long[]> own = admissions.computeIfAbsent(step.key, key -> new ArrayList<>());
        own.add(new long[] {clock.micros(), step.permits});
        long sum = 0;
        for (int i = own.size() - 1; i >= 0; i--) {
          sum += own.get(i)[1];
          Duration interval = Micros.toDuration(clock.micros() - own.get(i)[0] + 1);
          assertThat(sum).isLessThanOrEqualTo(limiter.policy().admissionBound(interval));
        }
      }
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.longs().between(0, 300_000),
                Arbitraries.of(0L, 0L, 1L, 500_000L, 999_999L, 1_000_000L)),
            Arbitraries.integers().between(1, 5),
            Arbitraries.oneOf(Arbitraries.longs().between(1, 4), Arbitraries.of(10L, 11L)))
        .as(Step::new)
        .list()
        .ofMaxSize(100);
  }

  /** A limiter with all keys that it may have: one has taken all, the other one permit. */
  private InMemoryLimiter<?, ?> full(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter = algorithm.create(QUOTA, options);
    limiter.tryAcquire("first", 10);
    limiter.tryAcquire("second");
    return limiter;
  }
}
