package dev.weir.conformance;

import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.TokenBucketReference;
import dev.weir.conformance.internal.jqwik.Generated;
import dev.weir.conformance.internal.jqwik.Verifies;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * The rules for a limiter whose algorithm is the token bucket: those of every limiter, and the
 * comparison of every decision with the reference model.
 *
 * <p>An author overrides {@link #create(dev.weir.Policy, Fixture)}; the policies are given.
 */
public abstract class TokenBucketConformance extends RateLimiterConformance<TokenBucketPolicy> {

  /** Creates the suite. */
  protected TokenBucketConformance() {}

  /**
   * Returns policies with limits from 1 to 5, and extreme ones; a limiter that supports less
   * overrides this.
   *
   * @return the policies
   */
  @Override
  protected List<TokenBucketPolicy> policies() {
    List<TokenBucketPolicy> policies = new ArrayList<>();
    for (int capacity = 1; capacity <= 5; capacity++) {
      policies.add(TokenBucketPolicy.of(capacity, 1, Duration.ofSeconds(1)));
    }
    for (int capacity = 1; capacity <= 5; capacity++) {
      policies.add(TokenBucketPolicy.of(capacity, 3, Duration.ofSeconds(1)));
    }
    policies.add(TokenBucketPolicy.of(2, 7, Duration.ofMillis(1)));
    policies.add(TokenBucketPolicy.of(3, 1, Duration.ofMillis(1)));
    policies.add(TokenBucketPolicy.of(4, 3, Duration.of(999_983, ChronoUnit.MICROS)));
    policies.add(TokenBucketPolicy.of(5, 1, Duration.ofMinutes(1)));
    policies.add(TokenBucketPolicy.of(10, 4, Duration.ofSeconds(10)));
    policies.add(TokenBucketPolicy.of(20, 100, Duration.ofMinutes(1)));
    // Refilled by one token after 1 microsecond, and by 10 tokens after 366 days each.
    policies.add(TokenBucketPolicy.of(3, 1_000, Duration.ofMillis(1)));
    policies.add(TokenBucketPolicy.of(10, 1, Duration.ofDays(366)));
    policies.add(
        TokenBucketPolicy.of(1_000_000_000_000L, 1_000_000_000_000L, Duration.ofMillis(1)));
    policies.add(
        TokenBucketPolicy.of(
            1_000_000_000_000L,
            999_999_999_989L,
            Duration.of(31_622_399_999_999L, ChronoUnit.MICROS)));
    return policies;
  }

  @Override
  protected Optional<TokenBucketPolicy> withLimit(TokenBucketPolicy policy, long limit) {
    // A larger bucket might take longer to fill than a policy may.
    return limit <= Math.max(policy.capacity(), 10)
        ? Optional.of(TokenBucketPolicy.of(limit, policy.refillTokens(), policy.refillPeriod()))
        : Optional.empty();
  }

  /**
   * Returns one microsecond: a trace can be shifted by any time.
   *
   * @param policy the policy
   * @return one microsecond
   */
  @Override
  protected Duration alignment(TokenBucketPolicy policy) {
    return Duration.of(1, ChronoUnit.MICROS);
  }

  @Override
  Optional<TokenBucketReference> reference(TokenBucketPolicy policy, InstantSource clock) {
    return Optional.of(new TokenBucketReference(policy, clock, new HashMap<>()));
  }

  @Verifies(Rule.TOKEN_BUCKET_MODEL)
  @Requires({Feature.VIRTUAL_TIME, Feature.EXACT_DECISIONS})
  void rule10_1_decidesAsTheModel(@Generated Draft draft) {
    verify(Rule.TOKEN_BUCKET_MODEL, draft);
  }
}
