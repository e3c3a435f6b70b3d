package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.internal.FixedWindowReference;
import dev.weir.conformance.internal.SlidingWindowReference;
import dev.weir.conformance.internal.TokenBucketReference;
import dev.weir.conformance.mutants.Suites;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Limiters that are odd, but keep what they declare, raise no alarm. */
@Tag("long")
class LawfulOddityTest {

  @TestFactory
  Stream<DynamicTest> raiseNoAlarm() {
    return Stream.of(
            CoarseClock.class,
            LongRetryAfter.class,
            RandomRetryAfter.class,
            LongResetAfter.class,
            TellsNothing.class,
            OnePermitOnly.class,
            StateMadeLate.class,
            OwnClock.class,
            ForeignAlgorithm.class)
        .map(
            oddity ->
                DynamicTest.dynamicTest(
                    oddity.getSimpleName(), () -> assertThat(Suites.run(oddity, 1)).isEmpty()));
  }

  /** A limiter that asks another and changes its answers. */
  private record Changed(RateLimiter limiter, UnaryOperator<Decision> change)
      implements RateLimiter {

    @Override
    public Policy policy() {
      return limiter.policy();
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      return change.apply(limiter.tryAcquire(key, permits));
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return limiter.tryAcquireAsync(key, permits).thenApply(change);
    }

    @Override
    public Decision peek(String key, long permits) {
      return change.apply(limiter.peek(key, permits));
    }

    @Override
    public void reset(String key) {
      limiter.reset(key);
    }
  }

  private static Decision retryAfter(Decision decision, Duration extra) {
    boolean isWait = !decision.allowed() && !decision.retryAfter().equals(Decision.NEVER);
    return isWait
        ? Decision.denied(
            decision.limit(),
            decision.remaining(),
            decision.retryAfter().plus(extra),
            decision.resetAfter())
        : decision;
  }

  private static InstantSource milliseconds(InstantSource clock) {
    return () -> clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** The clock has milliseconds only, and the author says so. */
  static final class CoarseClock extends TokenBucketConformance {
    @Override
    protected Duration resolution() {
      return Duration.ofMillis(1);
    }

    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketReference(policy, milliseconds(fixture.clock()), new HashMap<>());
    }
  }

  /** retryAfter is longer than needed, and not declared to be the shortest. */
  @Supports(except = Feature.EXACT_RETRY_AFTER)
  static final class LongRetryAfter extends SlidingWindowConformance {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new Changed(
          new SlidingWindowReference(policy, fixture.clock(), new HashMap<>()),
          decision -> retryAfter(decision, Duration.ofMillis(7)));
    }
  }

  /** retryAfter is spread at random, so that clients do not come back all at once. */
  @Supports(except = Feature.EXACT_RETRY_AFTER)
  static final class RandomRetryAfter extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new Changed(
          new FixedWindowReference(policy, fixture.clock(), new HashMap<>()),
          decision ->
              retryAfter(
                  decision,
                  Duration.of(ThreadLocalRandom.current().nextInt(5_000), ChronoUnit.MICROS)));
    }
  }

  /** resetAfter is longer than needed, and not declared to be the shortest. */
  @Supports(except = Feature.EXACT_RESET_AFTER)
  static final class LongResetAfter extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new Changed(
          new FixedWindowReference(policy, fixture.clock(), new HashMap<>()),
          decision ->
              new Decision(
                  decision.allowed(),
                  decision.limit(),
                  decision.remaining(),
                  decision.retryAfter(),
                  decision.resetAfter().plusSeconds(1)));
    }
  }

  /** Only yes and no are meant; the numbers are made up. */
  @Supports({
    Feature.VIRTUAL_TIME,
    Feature.WEIGHTS,
    Feature.PEEK,
    Feature.RESET,
    Feature.CLOCK_STEPS,
    Feature.EXACT_DECISIONS
  })
  static final class TellsNothing extends TokenBucketConformance {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new Changed(
          new TokenBucketReference(policy, fixture.clock(), new HashMap<>()),
          decision ->
              decision.allowed()
                  ? Decision.admitted(decision.limit(), 0, Duration.ZERO)
                  : Decision.denied(decision.limit(), 0, Duration.ofNanos(1), Duration.ZERO));
    }
  }

  /** Requests are for one permit each. */
  @Supports(except = {Feature.WEIGHTS, Feature.OVERSIZE, Feature.PEEK, Feature.RESET})
  static final class OnePermitOnly extends SlidingWindowConformance {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      RateLimiter limiter = new SlidingWindowReference(policy, fixture.clock(), new HashMap<>());
      return new RateLimiter() {
        @Override
        public Policy policy() {
          return policy;
        }

        @Override
        public Decision tryAcquire(String key, long permits) {
          return limiter.tryAcquire(key, one(permits));
        }

        @Override
        public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
          return limiter.tryAcquireAsync(key, one(permits));
        }

        private long one(long permits) {
          if (permits > 1) {
            throw new UnsupportedOperationException("one permit at a time");
          }
          return permits;
        }

        @Override
        public Decision peek(String key, long permits) {
          throw new UnsupportedOperationException("no peek");
        }

        @Override
        public void reset(String key) {
          throw new UnsupportedOperationException("no reset");
        }
      };
    }
  }

  /** What belongs to a key is made at its first use, by an object that is made late itself. */
  static final class StateMadeLate extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      Map<String, RateLimiter> limiters = new java.util.concurrent.ConcurrentHashMap<>();
      return new RateLimiter() {
        private RateLimiter of(String key) {
          return limiters.computeIfAbsent(
              key, k -> new FixedWindowReference(policy, fixture.clock(), new HashMap<>()));
        }

        @Override
        public Policy policy() {
          return policy;
        }

        @Override
        public Decision tryAcquire(String key, long permits) {
          return of(key).tryAcquire(key, permits);
        }

        @Override
        public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
          return of(key).tryAcquireAsync(key, permits);
        }

        @Override
        public Decision peek(String key, long permits) {
          return of(key).peek(key, permits);
        }

        @Override
        public void reset(String key) {
          of(key).reset(key);
          limiters.remove(key);
        }
      };
    }
  }

  /** The clock is the system's; what can be checked without moving time is. */
  @Supports(except = Feature.VIRTUAL_TIME)
  static final class OwnClock extends TokenBucketConformance {
    @Override
    protected List<TokenBucketPolicy> policies() {
      return List.of(
          TokenBucketPolicy.of(3, 1, Duration.ofDays(1)),
          TokenBucketPolicy.of(5, 1, Duration.ofDays(2)));
    }

    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketReference(policy, InstantSource.system(), new HashMap<>());
    }
  }

  /** Windows that start with their first request: an algorithm that the suite has no model of. */
  record FirstRequestWindowPolicy(long limit, Duration window) implements Policy {
    @Override
    public long admissionBound(Duration interval) {
      return FixedWindowPolicy.of(limit, window).admissionBound(interval);
    }

    @Override
    public Duration life() {
      return window;
    }
  }

  @Supports(except = Feature.CLOCK_STEPS)
  static final class ForeignAlgorithm extends RateLimiterConformance<FirstRequestWindowPolicy> {
    @Override
    protected List<FirstRequestWindowPolicy> policies() {
      return List.of(
          new FirstRequestWindowPolicy(1, Duration.ofSeconds(1)),
          new FirstRequestWindowPolicy(3, Duration.ofSeconds(1)),
          new FirstRequestWindowPolicy(5, Duration.ofMinutes(1)));
    }

    @Override
    protected Duration alignment(FirstRequestWindowPolicy policy) {
      return resolution();
    }

    @Override
    protected RateLimiter create(FirstRequestWindowPolicy policy, Fixture fixture) {
      return new FirstRequestWindow(policy, fixture.clock());
    }
  }

  private static final class FirstRequestWindow implements RateLimiter {

    private record Window(Instant end, long count) {}

    private final FirstRequestWindowPolicy policy;
    private final InstantSource clock;
    private final Map<String, Window> windows = new HashMap<>();

    FirstRequestWindow(FirstRequestWindowPolicy policy, InstantSource clock) {
      this.policy = policy;
      this.clock = clock;
    }

    private synchronized Decision decide(String key, long permits, boolean take) {
      if (key.isEmpty() || permits < 1) {
        throw new IllegalArgumentException(key.isEmpty() ? "key is empty" : "permits " + permits);
      }
      Instant now = clock.instant();
      Window window = windows.get(key);
      if (window == null || !now.isBefore(window.end())) {
        window = new Window(now.plus(policy.window()), 0);
      }
      boolean allowed = permits <= policy.limit() - window.count();
      if (allowed) {
        window = new Window(window.end(), window.count() + permits);
        if (take) {
          windows.put(key, window);
        }
      }
      Duration rest = Duration.between(now, window.end());
      return new Decision(
          allowed,
          policy.limit(),
          policy.limit() - window.count(),
          allowed ? Duration.ZERO : permits > policy.limit() ? Decision.NEVER : rest,
          window.count() == 0 ? Duration.ZERO : rest);
    }

    @Override
    public Policy policy() {
      return policy;
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      return decide(key, permits, true);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedFuture(decide(key, permits, true));
    }

    @Override
    public Decision peek(String key, long permits) {
      return decide(key, permits, false);
    }

    @Override
    public synchronized void reset(String key) {
      if (key.isEmpty()) {
        throw new IllegalArgumentException("key is empty");
      }
      windows.remove(key);
    }
  }
}
