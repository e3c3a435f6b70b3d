package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The generic cell rate algorithm and the token bucket are one algorithm, told in two ways. */
class GcraTest {

  /** A request after a pause, of so many thousandths of the life and of the capacity. */
  record Step(int pause, int plusMicros, int permits, int plusPermits) {}

  /**
   * GCRA keeps one time: when the next permit would be due if all came evenly. Here in parts of a
   * microsecond, as many as tokens are refilled in a period, so that it is a whole number.
   */
  private static final class Gcra {

    private final BigInteger parts;
    private final BigInteger interval;
    private final BigInteger tolerance;
    private final long limit;
    private BigInteger theoreticalArrival = BigInteger.ZERO;

    Gcra(TokenBucketPolicy policy) {
      parts = BigInteger.valueOf(policy.refillTokens());
      interval = BigInteger.valueOf(Micros.of(policy.refillPeriod()));
      limit = policy.capacity();
      tolerance = BigInteger.valueOf(limit).multiply(interval);
    }

    Decision tryAcquire(long permits, long micros) {
      BigInteger now = BigInteger.valueOf(micros).multiply(parts);
      BigInteger due = theoreticalArrival.max(now);
      BigInteger next = due.add(BigInteger.valueOf(permits).multiply(interval));
      BigInteger early = next.subtract(now).subtract(tolerance);
      if (early.signum() <= 0) {
        theoreticalArrival = next;
        return Decision.admitted(limit, remaining(next.subtract(now)), wait(next.subtract(now)));
      }
      return Decision.denied(
          limit,
          remaining(due.subtract(now)),
          permits > limit ? Decision.NEVER : wait(early),
          wait(due.subtract(now)));
    }

    private long remaining(BigInteger ahead) {
      return tolerance.subtract(ahead).divide(interval).longValueExact();
    }

    private Duration wait(BigInteger time) {
      return Micros.toDuration(Bounds.ceilDivide(time, parts).longValueExact());
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyDecisionOfATokenBucketIsThatOfGcra(
      @ForAll("policies") TokenBucketPolicy policy, @ForAll("steps") List<Step> steps) {
    VirtualClock clock = VirtualClock.atMidnight();
    RateLimiter bucket =
        InMemoryTokenBucket.create(policy, InMemoryOptions.defaults().withClock(clock));
    Gcra gcra = new Gcra(policy);
    for (Step step : steps) {
      clock.move(Micros.of(policy.life()) * step.pause / 1_000 + step.plusMicros);
      long permits = Math.max(1, policy.capacity() * step.permits / 1_000 + step.plusPermits);
      assertThat(bucket.tryAcquire("key", permits))
          .as("%s", step)
          .isEqualTo(gcra.tryAcquire(permits, clock.micros()));
    }
  }

  @Provide
  Arbitrary<TokenBucketPolicy> policies() {
    Arbitrary<Long> permits =
        Arbitraries.oneOf(
            Arbitraries.longs().between(1, 10),
            Arbitraries.longs().between(1, 10_000),
            Arbitraries.longs().between(1, Bounds.MAX_PERMITS));
    Arbitrary<Long> periods =
        Arbitraries.oneOf(
            Arbitraries.longs().between(1_000, 1_010),
            Arbitraries.of(1_000_000L, 60_000_000L, Micros.of(Bounds.MAX_WINDOW)));
    return Combinators.combine(permits, permits, periods)
        .filter(
            (capacity, refill, period) ->
                (double) capacity * period / refill < Micros.of(Bounds.MAX_FILL_TIME) - 1)
        .as(
            (capacity, refill, period) ->
                TokenBucketPolicy.of(capacity, refill, Micros.toDuration(period)));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.oneOf(
                Arbitraries.of(0, 500, 1_000), Arbitraries.integers().between(0, 1_200)),
            Arbitraries.integers().between(0, 3),
            Arbitraries.oneOf(
                Arbitraries.of(0, 500, 1_000), Arbitraries.integers().between(0, 1_100)),
            Arbitraries.integers().between(-2, 2))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }
}
