package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The token bucket policy admits what the tokens of a bucket pay for: a bucket is full at first
 * use, holds at most {@code capacity}, and is refilled continuously.
 *
 * <p>Refill is exact: after any time t the bucket gained {@code refillTokens * t / refillPeriod}
 * tokens, no fraction is lost and none invented. A request is admitted when as many whole tokens
 * are there as it asks for.
 *
 * @param capacity tokens that a full bucket holds, from 1 to 10<sup>12</sup>
 * @param refillTokens tokens gained per {@code refillPeriod}, from 1 to 10<sup>12</sup>
 * @param refillPeriod the time in which {@code refillTokens} are gained, from 1 ms to 366 days in
 *     whole microseconds; an empty bucket must be full within 3,660 days
 */
public record TokenBucketPolicy(long capacity, long refillTokens, Duration refillPeriod)
    implements Policy {

  /**
   * Checks the bounds.
   *
   * @param capacity the component of that name
   * @param refillTokens the component of that name
   * @param refillPeriod the component of that name
   * @throws NullPointerException if {@code refillPeriod} is null
   * @throws IllegalArgumentException if a component is out of its bounds, or an empty bucket takes
   *     more than 3,660 days to fill
   */
  public TokenBucketPolicy {
    Bounds.checkPermits("capacity", capacity);
    Bounds.checkPermits("refillTokens", refillTokens);
    Bounds.checkWindow("refillPeriod", refillPeriod);
    Bounds.checkFillTime(fillMicros(capacity, refillTokens, refillPeriod));
  }

  /**
   * Returns the policy of a bucket.
   *
   * @param capacity tokens that a full bucket holds, from 1 to 10<sup>12</sup>
   * @param refillTokens tokens gained per {@code refillPeriod}, from 1 to 10<sup>12</sup>
   * @param refillPeriod the time in which {@code refillTokens} are gained, from 1 ms to 366 days in
   *     whole microseconds
   * @return the policy
   * @throws NullPointerException if {@code refillPeriod} is null
   * @throws IllegalArgumentException if a value is out of its bounds, or an empty bucket takes more
   *     than 3,660 days to fill
   */
  public static TokenBucketPolicy of(long capacity, long refillTokens, Duration refillPeriod) {
    return new TokenBucketPolicy(capacity, refillTokens, refillPeriod);
  }

  /**
   * Returns the policy of a quota: its capacity is the burst, or the limit where there is none, and
   * it gains the limit once a window.
   *
   * @param quota the quota
   * @return the policy
   * @throws NullPointerException if {@code quota} is null
   * @throws IllegalArgumentException if an empty bucket takes more than 3,660 days to fill
   */
  public static TokenBucketPolicy of(Quota quota) {
    return new TokenBucketPolicy(
        quota.burst().orElse(quota.limit()), quota.limit(), quota.window());
  }

  /**
   * Returns one node's share of this policy: capacity and refillTokens divided by the number of
   * nodes, rounded down, but at least 1; the period stays.
   *
   * @param nodes how many nodes share the bucket, at least 1
   * @return the share; all shares together exceed this policy only where {@code nodes} exceeds the
   *     capacity or {@code refillTokens}
   * @throws IllegalArgumentException if {@code nodes} is below 1, or the share's bucket, whose
   *     refill was rounded down, takes more than 3,660 days to fill
   */
  public TokenBucketPolicy dividedBy(int nodes) {
    return new TokenBucketPolicy(
        Bounds.share(capacity, nodes), Bounds.share(refillTokens, nodes), refillPeriod);
  }

  /**
   * {@inheritDoc}
   *
   * @return the capacity
   */
  @Override
  public long limit() {
    return capacity;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A full bucket and what flows in between the first and the last instant of the interval.
   */
  @Override
  public long admissionBound(Duration interval) {
    BigInteger d = Micros.ceil(interval);
    if (d.signum() <= 0) {
      return 0;
    }
    BigInteger full = BigInteger.valueOf(capacity);
    BigInteger gained =
        d.subtract(BigInteger.ONE)
            .multiply(BigInteger.valueOf(refillTokens))
            .divide(Micros.exact(refillPeriod));
    return Bounds.saturated(full.multiply(d).min(full.add(gained)));
  }

  /**
   * {@inheritDoc}
   *
   * @return the time in which an empty bucket becomes full, rounded up to a microsecond
   */
  @Override
  public Duration life() {
    return Duration.of(
        fillMicros(capacity, refillTokens, refillPeriod).longValueExact(), ChronoUnit.MICROS);
  }

  private static BigInteger fillMicros(long capacity, long refillTokens, Duration refillPeriod) {
    return Bounds.ceilDivide(
        BigInteger.valueOf(capacity).multiply(Micros.exact(refillPeriod)),
        BigInteger.valueOf(refillTokens));
  }
}
