package dev.weir.integration.peers;

import static java.util.Map.entry;

import com.google.common.util.concurrent.RateLimiters;
import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/** The rate limiter of Guava. */
@Supports(Feature.VIRTUAL_TIME)
class Guava extends TokenBucketConformance {

  private static final String BOOLEAN = "`tryAcquire` answers yes or no";

  static final Peer PEER =
      new Peer(
          "Guava",
          com.google.common.util.concurrent.RateLimiter.class,
          "\"On average no more than `permitsPerSecond` are issued during any given second\"; when it"
              + " was unused, \"bursts of up to `permitsPerSecond` permits will be allowed\" (javadoc of"
              + " `RateLimiter.create`). For single permits that is a token bucket of one second's"
              + " permits and one more, for a request is paid for by the next one.",
          "One limiter a key in a map of the adapter, `tryAcquire` without a timeout, the suite's time"
              + " through the package-private `SleepingStopwatch`, which Guava's own tests use. A new"
              + " limiter has no burst and an unused one has, so each was made a second before its"
              + " first use. Judged as a bucket of r + 1 tokens, refilled with r a second.",
          List.of(new Peer.Part(Guava.class)),
          300,
          Map.ofEntries(
              entry(
                  Feature.WEIGHTS,
                  "\"the number of permits requested never affects the throttling of the request"
                      + " itself\", but that of the next one (javadoc of the class)"),
              entry(
                  Feature.OVERSIZE,
                  "by the same token a request of any size is granted to an unused limiter"),
              entry(Feature.REMAINING, BOOLEAN),
              entry(Feature.RETRY_AFTER, BOOLEAN),
              entry(Feature.EXACT_RETRY_AFTER, BOOLEAN),
              entry(Feature.RESET_AFTER, BOOLEAN),
              entry(Feature.EXACT_RESET_AFTER, BOOLEAN),
              entry(Feature.PEEK, "there is none"),
              entry(Feature.RESET, "there is none"),
              entry(Feature.CLOCK_STEPS, "its time is `System.nanoTime`, which is never set back"),
              entry(Feature.NAMESPACES, "a limiter is an object of its own"),
              entry(Feature.SHARED_STATE, "a limiter is an object of its own"),
              entry(
                  Feature.EXACT_DECISIONS,
                  "it promises an average, in microseconds and floating point"),
              entry(Feature.FAILURES, "there is no store"),
              entry(Feature.BOUNDED_STATE, "who holds the limiters decides when they go")),
          Map.of(
              Rule.REMAINING_IN_RANGE, "it tells no numbers: those are the adapter's",
              Rule.RETRY_AFTER_ZERO_WHEN_ALLOWED, "it tells no numbers: those are the adapter's",
              Rule.KEYS_INDEPENDENT, "the map of keys is the adapter's",
              Rule.ANY_KEY, "the map of keys is the adapter's"),
          Map.of(
              Rule.ADMISSION_BOUND,
              "By a third of a microsecond: the time of the next permit is kept in whole"
                  + " microseconds, rounded down, so that at a rate of 3 three permits come every"
                  + " 999,999 microseconds. \"On average\" leaves room for that, and a rate that"
                  + " divides a million has no such remainder."),
          List.of(
              "That a request of any size is granted to an unused limiter has been reported"
                  + " as a fault ([guava#7130](https://github.com/google/guava/issues/7130)); it is"
                  + " documented, see WEIGHTS above."));

  @Override
  protected List<TokenBucketPolicy> policies() {
    return LongStream.of(1, 2, 3, 4, 5, 7, 10, 100)
        .mapToObj(rate -> TokenBucketPolicy.of(rate + 1, rate, Duration.ofSeconds(1)))
        .toList();
  }

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    Map<String, com.google.common.util.concurrent.RateLimiter> limiters = new ConcurrentHashMap<>();
    return new PeerLimiter(policy) {
      @Override
      Decision decide(String key, long permits) {
        return answer(limiters.computeIfAbsent(key, any -> limiter()).tryAcquire(clamped(permits)));
      }

      private com.google.common.util.concurrent.RateLimiter limiter() {
        long made = micros(fixture.clock()) - 1_000_000;
        return RateLimiters.create(
            policy.refillTokens(), madeAt(0, () -> micros(fixture.clock()) - made));
      }
    };
  }
}
