package dev.weir.denialcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryFixedWindow;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.memory.InMemorySlidingWindowCounter;
import dev.weir.memory.InMemoryTokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * What a caller is told with the cache in between, and what the same limiter would have told
 * without it, on traces of several keys and instances whose calls take time.
 */
class AgainstBareLimiterTest {

  private static final Quota QUOTA = Quota.parse("4/1s burst 6");

  enum Algorithm {
    FIXED_WINDOW,
    SLIDING_WINDOW_LOG,
    SLIDING_WINDOW_COUNTER,
    TOKEN_BUCKET;

    RateLimiter create(InMemoryOptions options) {
      return switch (this) {
        case FIXED_WINDOW -> InMemoryFixedWindow.create(FixedWindowPolicy.of(QUOTA), options);
        case SLIDING_WINDOW_LOG ->
            InMemorySlidingWindow.create(SlidingWindowPolicy.of(QUOTA), options);
        case SLIDING_WINDOW_COUNTER ->
            InMemorySlidingWindowCounter.create(SlidingWindowCounterPolicy.of(QUOTA), options);
        case TOKEN_BUCKET -> InMemoryTokenBucket.create(TokenBucketPolicy.of(QUOTA), options);
      };
    }
  }

  enum Call {
    TRY_ACQUIRE,
    TRY_ACQUIRE_ASYNC,
    PEEK,
    RESET,
    BY_ANOTHER_INSTANCE
  }

  /** One call after a pause; {@code there} and {@code back} are what it takes, in nanoseconds. */
  record Step(Call call, String key, long permits, long pause, long there, long back) {}

  /** A limiter that takes time, and whose every call is made to its twin at the same instant. */
  private static final class Remote implements RateLimiter {

    private final VirtualClock clock;
    private final RateLimiter limiter;
    private final RateLimiter twin;
    private long there;
    private long back;

    /** What the twin told in the last call, or null if none was made. */
    private Decision told;

    Remote(VirtualClock clock, RateLimiter limiter, RateLimiter twin) {
      this.clock = clock;
      this.limiter = limiter;
      this.twin = twin;
    }

    void next(Step step) {
      there = step.there();
      back = step.back();
      told = null;
    }

    @Override
    public Policy policy() {
      return limiter.policy();
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      clock.move(there);
      Decision decision = limiter.tryAcquire(key, permits);
      told = twin.tryAcquire(key, permits);
      clock.move(back);
      return decision;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedStage(tryAcquire(key, permits));
    }

    @Override
    public Decision peek(String key, long permits) {
      clock.move(there);
      Decision decision = limiter.peek(key, permits);
      told = twin.peek(key, permits);
      clock.move(back);
      return decision;
    }

    @Override
    public void reset(String key) {
      clock.move(there);
      limiter.reset(key);
      twin.reset(key);
      clock.move(back);
    }
  }

  /** The cached limiter, its twin without a cache, and what both saw so far. */
  private static final class Pair {

    private final VirtualClock clock = new VirtualClock();
    private final RateLimiter limiter;
    private final RateLimiter twin;
    private final Remote remote;
    private final RateLimiter cached;
    private boolean anotherWasAdmitted;
    private int hits;

    Pair(Algorithm algorithm, long origin) {
      limiter = algorithm.create(InMemoryOptions.defaults().withClock(clock));
      twin = algorithm.create(InMemoryOptions.defaults().withClock(clock));
      remote = new Remote(clock, limiter, twin);
      cached =
          DenialCachingRateLimiter.builder(remote).ticker(() -> origin + clock.nanos()).build();
    }

    void step(Step step) {
      clock.move(step.pause());
      remote.next(step);
      String key = step.key();
      long permits = step.permits();
      switch (step.call()) {
        case TRY_ACQUIRE -> compare(step, cached.tryAcquire(key, permits));
        case TRY_ACQUIRE_ASYNC ->
            compare(step, cached.tryAcquireAsync(key, permits).toCompletableFuture().join());
        case PEEK -> compare(step, cached.peek(key, permits));
        case RESET -> cached.reset(key);
        case BY_ANOTHER_INSTANCE -> {
          Decision decision = limiter.tryAcquire(key, permits);
          assertThat(twin.tryAcquire(key, permits)).isEqualTo(decision);
          anotherWasAdmitted |= decision.allowed();
        }
      }
    }

    private void compare(Step step, Decision decision) {
      if (remote.told != null) {
        assertThat(decision).isEqualTo(remote.told);
        return;
      }
      hits++;
      Decision truth = twin.peek(step.key(), step.permits());
      assertThat(decision.allowed()).isEqualTo(truth.allowed());
      assertThat(decision.limit()).isEqualTo(truth.limit());
      if (step.permits() == 1) {
        assertThat(decision.remaining()).isEqualTo(truth.remaining());
      }
      if (!anotherWasAdmitted) {
        assertThat(decision.retryAfter()).isGreaterThanOrEqualTo(truth.retryAfter());
        assertThat(decision.resetAfter()).isGreaterThanOrEqualTo(truth.resetAfter());
        assertThat(decision.remaining()).isLessThanOrEqualTo(truth.remaining());
      }
      // Rounding up, and reading a clock between two microseconds, cost one each.
      Duration most = Duration.ofNanos(LONGEST_CALL + 2_000);
      if (permitsFit(step)) {
        assertThat(decision.retryAfter()).isLessThanOrEqualTo(truth.retryAfter().plus(most));
      } else {
        assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
      }
    }

    private boolean permitsFit(Step step) {
      return step.permits() <= limiter.policy().limit();
    }
  }

  private static final long LONGEST_CALL = 300_000_000;

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyVerdictIsTheLimitersAndNoWaitIsTooShort(
      @ForAll Algorithm algorithm, @ForAll long origin, @ForAll("traces") List<Step> trace) {
    Pair pair = new Pair(algorithm, origin);
    trace.forEach(pair::step);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void withoutOtherPermitsAndInstancesALimiterIsAskedOnceAWait(
      @ForAll Algorithm algorithm, @ForAll long origin) {
    Pair pair = new Pair(algorithm, origin);
    for (int i = 0; i < 1_000; i++) {
      pair.step(new Step(Call.TRY_ACQUIRE, "a", 1, 1_000_000, 0, 0));
    }
    // In one second few are admitted; each admission, and each denial after one, is a call.
    assertThat(pair.hits).isGreaterThan(950);
  }

  @Provide
  Arbitrary<List<Step>> traces() {
    Arbitrary<Long> pauses =
        Arbitraries.oneOf(
            Arbitraries.of(0L, 1L, 999L, 1_000L, 1_001L, 250_000_000L, 1_000_000_000L),
            Arbitraries.longs().between(0, 400_000_000),
            Arbitraries.longs().between(0, 3_000_000_000L));
    Arbitrary<Long> ways =
        Arbitraries.oneOf(
            Arbitraries.of(0L, 1L, 1_000L), Arbitraries.longs().between(0, LONGEST_CALL / 2));
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(12, Call.TRY_ACQUIRE),
                Tuple.of(4, Call.TRY_ACQUIRE_ASYNC),
                Tuple.of(3, Call.PEEK),
                Tuple.of(1, Call.RESET),
                Tuple.of(1, Call.BY_ANOTHER_INSTANCE)),
            Arbitraries.of("a", "a", "b"),
            Arbitraries.of(1L, 1L, 1L, 2L, 3L, 4L, 6L, 7L, 1_000L),
            pauses,
            ways,
            ways)
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(80);
  }
}
