package dev.weir.integration.peers;

import static java.util.Map.entry;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Supports;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The rate limiter of Resilience4j. */
@Supports({Feature.VIRTUAL_TIME, Feature.WEIGHTS, Feature.EXACT_DECISIONS})
class Resilience4j extends FixedWindowConformance {

  private static final String BOOLEAN = "`acquirePermission` answers yes or no";

  static final Peer PEER =
      new Peer(
          "Resilience4j",
          io.github.resilience4j.ratelimiter.RateLimiter.class,
          "A fixed window: it \"splits all nanoseconds from the start of epoch into cycles\" and \"on"
              + " start of each cycle\" sets the permits to `limitForPeriod` (javadoc of"
              + " `AtomicRateLimiter`). `acquirePermission(n)` is true if the permits were acquired"
              + " and false if `timeoutDuration` elapsed before.",
          "One limiter a key in a map of the adapter, `timeoutDuration` zero, the suite's clock as"
              + " `nanoTimeSupplier`. Cycles start when a limiter is made, so each was made at the"
              + " last border of the windows before its first use. Permits are an `int`: limits go up"
              + " to 2^31-1, and requests beyond are asked for as 2^31-1. Requests over the limit"
              + " were tried for rule 1.1 alone.",
          List.of(
              new Peer.Part(Resilience4j.class),
              new Peer.Part(Oversize.class, Rule.ADMISSION_BOUND),
              new Peer.Part(Large.class)),
          300,
          Map.ofEntries(
              entry(
                  Feature.REMAINING,
                  "`getAvailablePermissions` \"estimates\", \"typically used for debugging and testing"
                      + " purposes\""),
              entry(Feature.RETRY_AFTER, BOOLEAN),
              entry(Feature.EXACT_RETRY_AFTER, BOOLEAN),
              entry(Feature.RESET_AFTER, BOOLEAN),
              entry(Feature.EXACT_RESET_AFTER, BOOLEAN),
              entry(Feature.PEEK, "there is none"),
              entry(Feature.RESET, "there is none"),
              entry(Feature.CLOCK_STEPS, "its time is `System.nanoTime`, which is never set back"),
              entry(Feature.NAMESPACES, "a limiter is an object of its own"),
              entry(Feature.SHARED_STATE, "a limiter is an object of its own"),
              entry(Feature.FAILURES, "there is no store"),
              entry(Feature.BOUNDED_STATE, "who holds the limiters decides when they go")),
          Map.of(
              Rule.REMAINING_IN_RANGE, "it tells no numbers: those are the adapter's",
              Rule.RETRY_AFTER_ZERO_WHEN_ALLOWED, "it tells no numbers: those are the adapter's",
              Rule.KEYS_INDEPENDENT, "the map of keys is the adapter's",
              Rule.ANY_KEY, "the map of keys is the adapter's"),
          Map.of(
              Rule.ADMISSION_BOUND,
              "Only with a request far over the limit: the wait for its permits is a number"
                  + " of cycles times their nanoseconds, which passes 2^63 for 2^31-1 permits (what"
                  + " the number in the trace is asked for as) and a window of a minute. The wait"
                  + " comes out negative, and the request is admitted. Requests up to the limit keep"
                  + " the rule.",
              Rule.TWO_CENTURIES,
              "Only with the largest limit there is: the cycles of the pause times the limit"
                  + " pass 2^63. With 2^31-1 permits that takes 136 years of cycles of a second and"
                  + " 50 days of cycles of a millisecond. With a limit of 10^9 a day, and all"
                  + " smaller ones that were tried, the rule is kept.",
              Rule.BAD_ARGUMENTS,
              "The documentation says nothing of permits below 1. They are not refused; what is asked"
                  + " for is subtracted from what is left, so that after a request for -3 at a limit of"
                  + " 5 a day 8 permits are there."),
          List.of(
              "A `nanoTimeSupplier` that goes back is outside of what was tried, see"
                  + " CLOCK_STEPS above."));

  @Override
  protected List<FixedWindowPolicy> policies() {
    List<FixedWindowPolicy> policies = new ArrayList<>(super.policies());
    policies.removeIf(policy -> policy.limit() > Integer.MAX_VALUE);
    policies.add(FixedWindowPolicy.of(1_000_000_000, Duration.ofDays(1)));
    return policies;
  }

  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitForPeriod((int) policy.limit())
            .limitRefreshPeriod(policy.window())
            .timeoutDuration(Duration.ZERO)
            .build();
    long window = policy.window().toNanos();
    Map<String, io.github.resilience4j.ratelimiter.RateLimiter> limiters =
        new ConcurrentHashMap<>();
    return new PeerLimiter(policy) {
      @Override
      Decision decide(String key, long permits) {
        return answer(
            limiters.computeIfAbsent(key, this::limiter).acquirePermission(clamped(permits)));
      }

      private io.github.resilience4j.ratelimiter.RateLimiter limiter(String key) {
        long now = nanos(fixture.clock());
        LongSupplier time = madeAt(now / window * window, () -> nanos(fixture.clock()));
        return io.github.resilience4j.ratelimiter.RateLimiter.of(key, config, time::getAsLong);
      }
    };
  }

  /** With requests for more than the limit, too. */
  @Supports({Feature.VIRTUAL_TIME, Feature.WEIGHTS, Feature.OVERSIZE, Feature.EXACT_DECISIONS})
  static final class Oversize extends Resilience4j {}

  /** With the largest limit there is. */
  @Supports({Feature.VIRTUAL_TIME, Feature.WEIGHTS, Feature.EXACT_DECISIONS})
  static final class Large extends Resilience4j {
    @Override
    protected List<FixedWindowPolicy> policies() {
      return List.of(
          FixedWindowPolicy.of(Integer.MAX_VALUE, Duration.ofSeconds(1)),
          FixedWindowPolicy.of(Integer.MAX_VALUE, Duration.ofMillis(1)));
    }
  }
}
