package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Fixture;
import java.math.BigInteger;

/** A correct token bucket in pieces. */
class TokenBucketSkeleton extends Skeleton<TokenBucketPolicy, TokenBucketSkeleton.Bucket> {

  /** Whole tokens, and of the next one so many parts of {@code period}, at a time. */
  record Bucket(long whole, long fraction, long last) {}

  final long period;
  final long refill;

  TokenBucketSkeleton(TokenBucketPolicy policy, Fixture fixture) {
    super(policy, fixture);
    period = micros(policy.refillPeriod());
    refill = policy.refillTokens();
  }

  @Override
  Decision decide(String key, long permits, long now, boolean take) {
    Bucket bucket = get(key, now);
    bucket = bucket == null ? first(now) : bucket;
    if (bucket.last() - now > life) {
      bucket = new Bucket(bucket.whole(), bucket.fraction(), now);
      if (take) {
        put(key, bucket);
      }
    }
    long at = at(bucket, now);
    Bucket level = filled(bucket, at);
    boolean allowed = permits <= level.whole();
    if (allowed) {
      level = new Bucket(level.whole() - permits, level.fraction(), at);
    }
    if (take && allowed) {
      put(key, level);
    } else if (take) {
      denied(key, level, permits);
    }
    return answer(
        allowed,
        Math.max(0, Math.min(limit, level.whole())),
        permits > limit ? NEVER : allowed ? 0 : wait(level, permits) + at - now,
        level.whole() >= limit ? 0 : resetWait(level) + at - now);
  }

  Bucket first(long now) {
    return new Bucket(limit, 0, now);
  }

  long at(Bucket bucket, long now) {
    return Math.max(now, bucket.last());
  }

  Bucket filled(Bucket bucket, long at) {
    if (at - bucket.last() >= life) {
      return new Bucket(limit, 0, at);
    }
    BigInteger[] gained = gained(bucket, at).divideAndRemainder(BigInteger.valueOf(period));
    return capped(bucket.whole() + gained[0].longValueExact(), gained[1].longValueExact(), at);
  }

  BigInteger gained(Bucket bucket, long at) {
    return BigInteger.valueOf(at - bucket.last())
        .multiply(BigInteger.valueOf(refill))
        .add(BigInteger.valueOf(bucket.fraction()));
  }

  Bucket capped(long whole, long fraction, long at) {
    return whole >= limit ? new Bucket(limit, 0, at) : new Bucket(whole, fraction, at);
  }

  void denied(String key, Bucket level, long permits) {}

  /** How long until there are so many whole tokens, rounded up. */
  long wait(Bucket level, long tokens) {
    BigInteger missing =
        BigInteger.valueOf(tokens - level.whole())
            .multiply(BigInteger.valueOf(period))
            .subtract(BigInteger.valueOf(level.fraction()));
    BigInteger divisor = BigInteger.valueOf(refill);
    return missing.add(divisor).subtract(BigInteger.ONE).divide(divisor).longValueExact();
  }

  long resetWait(Bucket level) {
    return wait(level, limit);
  }

  @Override
  long until(Bucket bucket) {
    return bucket.last() + wait(bucket, limit);
  }
}
