package dev.weir.integration.peers;

import static java.util.Map.entry;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Bucket4j in memory. */
@Supports(except = {Feature.PEEK, Feature.CLOCK_STEPS, Feature.NAMESPACES})
class Bucket4jLocal extends TokenBucketConformance {

  static final Map<Feature, String> NOT_OFFERED =
      Map.ofEntries(
          entry(Feature.CLOCK_STEPS, "the documentation says nothing of a clock that is set back"),
          entry(Feature.NAMESPACES, "there are none; whoever makes the keys separates them"),
          entry(
              Feature.FAILURES,
              "failures of a store are the business of its client; there is no exception of one kind"
                  + " for them"));

  static final String LARGE_NUMBERS =
      "Only with a bucket of 10^12 tokens that fills in a year, and by one microsecond of it: where"
          + " tokens times nanoseconds pass 2^63, `BucketState64BitsInteger` goes on in `double`. The"
          + " documentation's page on limits says so: \"integer arithmetic as much as possible\". All"
          + " other policies of the suite are decided exactly.";

  static final Peer PEER =
      new Peer(
          "Bucket4j, local",
          Bucket.class,
          "A token bucket with greedy refill, which \"tries to add the tokens to the bucket as soon as"
              + " possible\", with \"absolutely non-compromise precision\": \"all calculation are"
              + " performed in the integer arithmetic\" (its documentation). Up to one token a"
              + " nanosecond.",
          "One bucket a key in a map of the adapter, `refillGreedy`, the default 64-bit integer"
              + " arithmetic, the suite's clock as `TimeMeter`. Decisions are those of"
              + " `tryConsumeAndReturnRemaining`, `peek` is `estimateAbilityToConsume` and `reset` is"
              + " `reset`. The policies are the suite's, without 10^12 tokens a millisecond: so fast a"
              + " refill is refused, as documented.",
          List.of(
              new Peer.Part(Bucket4jLocal.class),
              new Peer.Part(Peek.class, Rule.PEEK_AND_RESET),
              new Peer.Part(Large.class, Rule.TOKEN_BUCKET_MODEL)),
          300,
          Map.ofEntries(
              entry(Feature.CLOCK_STEPS, NOT_OFFERED.get(Feature.CLOCK_STEPS)),
              entry(Feature.NAMESPACES, "a bucket is an object of its own and has no key"),
              entry(Feature.SHARED_STATE, "a bucket is an object of its own"),
              entry(Feature.FAILURES, "there is no store"),
              entry(Feature.BOUNDED_STATE, "who holds the buckets decides when they go")),
          Map.of(
              Rule.KEYS_INDEPENDENT, "a bucket has no key: the map of keys is the adapter's",
              Rule.ANY_KEY, "a bucket has no key: the map of keys is the adapter's"),
          Map.of(Rule.TOKEN_BUCKET_MODEL, LARGE_NUMBERS),
          List.of());

  static final TokenBucketPolicy LARGE =
      TokenBucketPolicy.of(1_000_000_000_000L, 999_999_999_989L, Duration.ofDays(366));

  /** Those of ordinary size, without the largest two of the suite. */
  static List<TokenBucketPolicy> policies(List<TokenBucketPolicy> all) {
    return all.stream().filter(policy -> policy.capacity() < LARGE.capacity()).toList();
  }

  /** In memory, one bucket a key. */
  static RateLimiter limiter(TokenBucketPolicy policy, Fixture fixture) {
    Map<String, Bucket> buckets = new ConcurrentHashMap<>();
    return new Bucket4jLimiter(
        policy,
        key ->
            buckets.computeIfAbsent(
                key,
                any ->
                    Bucket.builder()
                        .addLimit(Bucket4jLimiter.bandwidth(policy))
                        .withCustomTimePrecision(Bucket4jLimiter.meter(fixture.clock()))
                        .build()));
  }

  @Override
  protected List<TokenBucketPolicy> policies() {
    return policies(super.policies());
  }

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    return limiter(policy, fixture);
  }

  /** An estimate tells no wait until the bucket is full, so it is compared without. */
  @Supports(
      except = {
        Feature.RESET_AFTER,
        Feature.EXACT_RESET_AFTER,
        Feature.CLOCK_STEPS,
        Feature.NAMESPACES
      })
  static final class Peek extends Bucket4jLocal {}

  /** Where tokens times nanoseconds need more than 64 bits. */
  @Supports(except = {Feature.PEEK, Feature.CLOCK_STEPS, Feature.NAMESPACES})
  static final class Large extends Bucket4jLocal {
    @Override
    protected List<TokenBucketPolicy> policies() {
      return List.of(LARGE);
    }
  }
}
