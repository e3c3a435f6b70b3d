package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options, stores and providers do to a limiter. */
class OptionsTest {

  private static final Quota QUOTA = Quota.of(10, Duration.ofHours(1));

  private final VirtualClock clock = VirtualClock.atMidnight();
  private final InMemoryOptions options = InMemoryOptions.defaults().withClock(clock);

  @ParameterizedTest
  @EnumSource
  void limitersOnOneStoreAndNamespaceShareTheirState(Algorithm algorithm) {
    InMemoryOptions shared = options.withStore(InMemoryStore.create());
    algorithm.create(QUOTA, shared).tryAcquire("key", 4);

    assertThat(algorithm.create(QUOTA, shared).peek("key").remaining()).isEqualTo(5);
    Quota anotherVersion = Quota.of(10, Duration.ofHours(2));
    assertThat(algorithm.create(anotherVersion, shared).peek("key").remaining()).isEqualTo(5);
  }

  @Test
  void aStoreCountsTheKeysOfAllItsLimiters() {
    InMemoryStore store = InMemoryStore.create();
    assertThat(store.keys()).isZero();
    for (Algorithm algorithm : Algorithm.values()) {
      algorithm.create(QUOTA, options.withStore(store)).tryAcquire("a");
      algorithm.create(QUOTA, options.withStore(store).withNamespace("b")).tryAcquire("a");
      algorithm.create(QUOTA, options.withStore(store)).tryAcquire("a");
    }
    assertThat(store.keys()).isEqualTo(2L * Algorithm.values().length);
  }

  @ParameterizedTest
  @EnumSource
  void namespacesStoresAndAlgorithmsShareNothing(Algorithm algorithm) {
    InMemoryOptions shared = options.withStore(InMemoryStore.create());
    algorithm.create(QUOTA, shared).tryAcquire("key", 4);

    for (Algorithm other : Algorithm.values()) {
      assertNew(other.create(QUOTA, shared.withNamespace("another")));
      assertNew(other.create(QUOTA, options));
      if (other != algorithm) {
        assertNew(other.create(QUOTA, shared));
      }
    }
  }

  private static void assertNew(RateLimiter limiter) {
    assertThat(limiter.peek("key").remaining()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"fixed-window", "sliding-window", "sliding-window-counter", "token-bucket"})
  void providersUseTheStoreTheClockAndTheNamespaceOfTheContext(String algorithm) {
    ProviderContext context =
        ProviderContext.of("space")
            .withClock(clock)
            .with(InMemoryStore.class, InMemoryStore.create());
    RateLimiter limiter = RateLimiters.create("memory", algorithm, QUOTA, context);
    limiter.tryAcquire("key", 10);

    assertThat(RateLimiters.create("memory", algorithm, QUOTA, context).peek("key").remaining())
        .isZero();
    clock.advance(limiter.policy().life());
    assertThat(limiter.peek("key").remaining()).isEqualTo(9);
  }

  @Test
  void providersUseTheOptionsOfTheContext() {
    ProviderContext context =
        ProviderContext.of("space")
            .with(InMemoryOptions.class, options.withNamespace("not this one").withMaxKeys(1));
    RateLimiter limiter = RateLimiters.create("memory", "fixed-window", QUOTA, context);
    limiter.tryAcquire("first");
    limiter.tryAcquire("second", 10);

    assertThat(limiter.tryAcquire("third").allowed()).isFalse();
  }

  @Test
  void thereIsOneProviderForEachAlgorithm() {
    assertThat(RateLimiters.providers())
        .extracting(RateLimiterProvider::store, RateLimiterProvider::algorithm)
        .containsExactly(
            tuple("memory", "fixed-window"),
            tuple("memory", "sliding-window"),
            tuple("memory", "sliding-window-counter"),
            tuple("memory", "token-bucket"));
  }

  @Test
  void theDefaultClockTellsTheTimeAndNeverStepsBack() {
    long wall = Micros.of(Instant.now());
    long last = SteadyClock.nowMicros();
    assertThat(last).isBetween(wall - 3_600_000_000L, wall + 3_600_000_000L);
    for (int i = 0; i < 1_000; i++) {
      long now = SteadyClock.nowMicros();
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }
  }

  @Test
  void aLimiterWithDefaultOptionsLimits() {
    InMemoryFixedWindow limiter =
        InMemoryFixedWindow.create(FixedWindowPolicy.of(1, Duration.ofDays(366)));

    Decision first = limiter.tryAcquire("key");
    Decision second = limiter.tryAcquire("key");

    assertThat(first.allowed()).isTrue();
    assertThat(second.allowed()).isFalse();
    assertThat(second.retryAfter()).isBetween(Duration.ofNanos(1), Duration.ofDays(366));
  }

  @ParameterizedTest
  @EnumSource
  void aStageIsCompleteAtOnce(Algorithm algorithm) {
    RateLimiter limiter = algorithm.create(QUOTA, options);

    assertThat(limiter.tryAcquireAsync("key", 3))
        .isCompletedWithValueMatching(decision -> decision.remaining() == 7);
    assertThatNullPointerException().isThrownBy(() -> limiter.tryAcquireAsync(null, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquireAsync("key", 0));
  }

  @ParameterizedTest
  @EnumSource
  void aTimeThatLimitersCannotHoldIsRefusedAndChangesNothing(Algorithm algorithm) {
    Instant[] time = {Instant.EPOCH.plusSeconds(9_007_199_254L).plusNanos(740_993_000)};
    RateLimiter limiter = algorithm.create(QUOTA, options.withClock(() -> time[0]));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.tryAcquire("key"))
        .withMessageContaining("2255-06-05");
    time[0] = Instant.EPOCH.minusNanos(1);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.peek("key"));

    time[0] = Instant.EPOCH.plusSeconds(9_007_199_254L).plusNanos(740_992_000);
    assertThat(limiter.tryAcquire("key", 10).allowed()).isTrue();
    assertThat(limiter.tryAcquire("key").allowed()).isFalse();
  }

  @Test
  void nullsAndEmptyNamesAreRefused() {
    InMemoryOptions defaults = InMemoryOptions.defaults();
    assertThatNullPointerException().isThrownBy(() -> defaults.withNamespace(null));
    assertThatNullPointerException().isThrownBy(() -> defaults.withClock(null));
    assertThatNullPointerException().isThrownBy(() -> defaults.withStore(null));
    assertThatNullPointerException().isThrownBy(() -> defaults.withOverflowListener(null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> defaults.withNamespace(""))
        .withMessage("namespace is empty, must have at least 1 character");
    assertThatNullPointerException().isThrownBy(() -> InMemoryFixedWindow.create(null));
    assertThatNullPointerException().isThrownBy(() -> InMemorySlidingWindow.create(null, defaults));
    assertThatNullPointerException().isThrownBy(() -> InMemorySlidingWindowCounter.create(null));
    assertThatNullPointerException().isThrownBy(() -> InMemoryTokenBucket.create(null));
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyKeyIsNotReset(Algorithm algorithm) {
    InMemoryLimiter<?, ?> limiter =
        algorithm.create(Quota.of(1, Duration.ofSeconds(1)), InMemoryOptions.defaults());
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.reset(""));
  }
}
