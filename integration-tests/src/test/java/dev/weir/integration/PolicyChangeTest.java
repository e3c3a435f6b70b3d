package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryFixedWindow;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindowCounter;
import dev.weir.memory.InMemoryStore;
import dev.weir.memory.InMemoryTokenBucket;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two versions of a policy at work on one key, as while a new one is rolled out. */
class PolicyChangeTest {

  /** A request by one of the versions, some time after the one before. */
  record Step(int version, long permits, long afterMicros) {}

  /** What a version of a policy admitted. */
  record Admission(long micros, long permits) {}

  @Property(tries = 150)
  void noPermitIsForgottenWithinTheShorterWindow(
      @ForAll("windowPolicies") List<Policy> versions, @ForAll("traces") List<Step> trace) {
    try (Versions limiters = new Versions(versions)) {
      List<Admission> admissions = new ArrayList<>();
      for (Step step : trace) {
        if (limiters.ask(step).allowed()) {
          long now = limiters.now();
          admissions.add(new Admission(now, step.permits));
          long from =
              versions.stream().mapToLong(policy -> windowStart(policy, now)).max().orElseThrow();
          long used =
              admissions.stream()
                  .filter(admission -> admission.micros >= from)
                  .mapToLong(Admission::permits)
                  .sum();
          assertThat(used)
              .as("admitted since %d, at %d", from, now)
              .isLessThanOrEqualTo(versions.get(step.version).limit());
        }
      }
    }
  }

  /** The first microsecond of which every permit counts for a policy at a time. */
  private static long windowStart(Policy policy, long now) {
    if (policy instanceof SlidingWindowPolicy log) {
      return now - micros(log.window()) + 1;
    }
    Duration window =
        policy instanceof FixedWindowPolicy fixed
            ? fixed.window()
            : ((SlidingWindowCounterPolicy) policy).window();
    return now - now % micros(window);
  }

  @Property(tries = 150)
  void aBucketGainsNothingButItsRefill(
      @ForAll("buckets") List<Policy> versions, @ForAll("traces") List<Step> trace) {
    try (Versions limiters = new Versions(versions)) {
      double level = -1;
      long last = 0;
      for (Step step : trace) {
        TokenBucketPolicy policy = (TokenBucketPolicy) versions.get(step.version);
        Decision decision = limiters.ask(step);
        double most = policy.capacity();
        if (level >= 0) {
          double gained =
              (double) (limiters.now() - last)
                  * policy.refillTokens()
                  / micros(policy.refillPeriod());
          most = Math.min(policy.capacity(), level + gained);
        }
        assertThat(decision.remaining() + (decision.allowed() ? step.permits : 0))
            .as("level at %d", limiters.now())
            .isLessThanOrEqualTo((long) (most + 1e-6));
        if (decision.allowed()) {
          level = most - step.permits;
          last = limiters.now();
        }
      }
    }
  }

  @Property(tries = 100)
  void noWaitExceedsTwiceTheLifeOfTheAskersPolicyAndEveryWaitIsTrue(
      @ForAll("policies") List<Policy> versions, @ForAll("traces") List<Step> trace) {
    try (Versions limiters = new Versions(versions)) {
      for (Step step : trace) {
        Policy policy = versions.get(step.version);
        Decision decision = limiters.ask(step);
        Duration twice = policy.life().multipliedBy(2);
        assertThat(decision.resetAfter()).isLessThanOrEqualTo(twice);
        assertThat(decision.limit()).isEqualTo(policy.limit());
        assertThat(decision.remaining()).isBetween(0L, policy.limit());
        if (step.permits > policy.limit()) {
          assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
        } else if (!decision.allowed()) {
          assertThat(decision.retryAfter()).isPositive().isLessThanOrEqualTo(twice);
          long wait = micros(decision.retryAfter());
          limiters.pass(wait - 1);
          assertThat(limiters.of(step).peek("key", step.permits).allowed()).isFalse();
          limiters.pass(1);
          assertThat(limiters.of(step).peek("key", step.permits).allowed()).isTrue();
        }
      }
    }
  }

  /** In memory a log forgets earlier what no longer counts; the other states are the same. */
  @Property(tries = 150)
  void everyDecisionIsThatOfTheTwinsInMemory(
      @ForAll("twinPolicies") List<Policy> versions, @ForAll("traces") List<Step> trace) {
    try (Versions limiters = new Versions(versions)) {
      InMemoryOptions options =
          InMemoryOptions.defaults().withStore(InMemoryStore.create()).withClock(limiters.clock());
      List<RateLimiter> twins =
          versions.stream().map(policy -> twin(policy, options)).collect(Collectors.toList());
      for (Step step : trace) {
        assertThat(limiters.ask(step))
            .as("%s at %d", step, limiters.now())
            .isEqualTo(twins.get(step.version).tryAcquire("key", step.permits));
      }
    }
  }

  private static RateLimiter twin(Policy policy, InMemoryOptions options) {
    if (policy instanceof TokenBucketPolicy bucket) {
      return InMemoryTokenBucket.create(bucket, options);
    }
    return policy instanceof FixedWindowPolicy fixed
        ? InMemoryFixedWindow.create(fixed, options)
        : InMemorySlidingWindowCounter.create((SlidingWindowCounterPolicy) policy, options);
  }

  @ParameterizedTest
  @EnumSource
  void aChangedLimitCountsWhatWasUsedBefore(Algorithm algorithm) {
    Duration window = Duration.ofDays(1);
    List<Policy> versions =
        List.of(
            algorithm.policy(10, window),
            algorithm.policy(5, window),
            algorithm.policy(20, window));
    try (Versions limiters = new Versions(versions)) {
      assertThat(limiters.ask(new Step(0, 7, 0)).remaining()).isEqualTo(3);
      boolean bucket = algorithm == Algorithm.TOKEN_BUCKET;

      Decision lowered = limiters.ask(new Step(1, bucket ? 4 : 1, 0));
      assertThat(lowered.allowed()).isFalse();
      assertThat(lowered.remaining()).isEqualTo(bucket ? 3 : 0);
      Decision raised = limiters.ask(new Step(2, 1, 0));
      assertThat(raised.allowed()).isTrue();
      assertThat(raised.remaining()).as("no free refill").isEqualTo(bucket ? 2 : 12);
    }
  }

  @Provide
  Arbitrary<List<Policy>> windowPolicies() {
    return versions(
        Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
  }

  @Provide
  Arbitrary<List<Policy>> buckets() {
    return versions(Algorithm.TOKEN_BUCKET);
  }

  @Provide
  Arbitrary<List<Policy>> twinPolicies() {
    return versions(
        Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER, Algorithm.TOKEN_BUCKET);
  }

  @Provide
  Arbitrary<List<Policy>> policies() {
    return versions(Algorithm.values());
  }

  /** Two policies of one algorithm. */
  private static Arbitrary<List<Policy>> versions(Algorithm... algorithms) {
    Arbitrary<Long> limits = Arbitraries.longs().between(1, 10);
    Arbitrary<Duration> windows =
        Arbitraries.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.of(999_983, ChronoUnit.MICROS),
            Duration.ofSeconds(10));
    return Arbitraries.of(algorithms)
        .flatMap(
            algorithm ->
                Combinators.combine(limits, windows).as(algorithm::policy).list().ofSize(2));
  }

  @Provide
  Arbitrary<List<Step>> traces() {
    Arbitrary<Long> pauses =
        Arbitraries.oneOf(
            Arbitraries.of(0L, 1L, 100_000L, 500_000L, 1_000_000L, 3_000_000L, 20_000_000L),
            Arbitraries.longs().between(0, 2_000_000));
    return Combinators.combine(
            Arbitraries.integers().between(0, 1), Arbitraries.longs().between(1, 6), pauses)
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  private static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }

  /** A limiter for each version of the policy, on one namespace and one clock. */
  private static final class Versions implements AutoCloseable {

    private final List<RateLimiter> limiters;
    private long now = 1_700_000_000_000_000L;

    Versions(List<Policy> versions) {
      RedisOptions options = Algorithm.patient().withClock(clock());
      limiters =
          versions.stream()
              .map(policy -> Algorithm.of(policy).create(TestRedis.redisson(), policy, options))
              .collect(Collectors.toList());
    }

    InstantSource clock() {
      return () -> Instant.EPOCH.plus(now, ChronoUnit.MICROS);
    }

    long now() {
      return now;
    }

    void pass(long micros) {
      now += micros;
    }

    RateLimiter of(Step step) {
      return limiters.get(step.version);
    }

    Decision ask(Step step) {
      pass(step.afterMicros);
      return of(step).tryAcquire("key", step.permits);
    }

    @Override
    public void close() {
      limiters.get(0).reset("key");
    }
  }
}
