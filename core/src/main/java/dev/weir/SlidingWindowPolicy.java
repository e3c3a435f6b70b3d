package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The policy of the sliding window log admits at most {@code limit} permits in every window,
 * wherever it starts.
 *
 * <p>Windows are half-open, {@code (now - window, now]}: a permit exactly one window old no longer
 * counts.
 *
 * @param limit permits in any window, from 1 to 10<sup>12</sup>
 * @param window length of the window, from 1 ms to 366 days in whole microseconds
 */
public record SlidingWindowPolicy(long limit, Duration window) implements Policy {

  /**
   * Checks the bounds.
   *
   * @param limit the component of that name
   * @param window the component of that name
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public SlidingWindowPolicy {
    Bounds.checkPermits("limit", limit);
    Bounds.checkWindow("window", window);
  }

  /**
   * Returns the policy of so many permits in any window.
   *
   * @param limit permits in any window, from 1 to 10<sup>12</sup>
   * @param window length of the window, from 1 ms to 366 days in whole microseconds
   * @return the policy
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public static SlidingWindowPolicy of(long limit, Duration window) {
    return new SlidingWindowPolicy(limit, window);
  }

  /**
   * Returns the policy of a quota; a burst is not read.
   *
   * @param quota the quota
   * @return the policy of {@code quota.limit()} permits in any {@code quota.window()}
   * @throws NullPointerException if {@code quota} is null
   */
  public static SlidingWindowPolicy of(Quota quota) {
    return new SlidingWindowPolicy(quota.limit(), quota.window());
  }

  /**
   * Returns one node's share of this policy: the limit divided by the number of nodes, rounded
   * down, but at least 1; the window stays.
   *
   * @param nodes how many nodes share the limit, at least 1
   * @return the share; all shares together exceed this policy only where {@code nodes} exceeds the
   *     limit
   * @throws IllegalArgumentException if {@code nodes} is below 1
   */
  public SlidingWindowPolicy dividedBy(int nodes) {
    return new SlidingWindowPolicy(Bounds.share(limit, nodes), window);
  }

  /**
   * {@inheritDoc}
   *
   * <p>An interval of d is covered by ceil(d / window) windows. The bound is exact.
   */
  @Override
  public long admissionBound(Duration interval) {
    BigInteger d = Micros.ceil(interval);
    if (d.signum() <= 0) {
      return 0;
    }
    return Bounds.saturated(
        Bounds.ceilDivide(d, Micros.exact(window)).multiply(BigInteger.valueOf(limit)));
  }

  /**
   * {@inheritDoc}
   *
   * @return the window
   */
  @Override
  public Duration life() {
    return window;
  }
}
