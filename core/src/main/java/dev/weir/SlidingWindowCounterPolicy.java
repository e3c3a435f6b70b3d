package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The policy of the sliding window counter approximates {@link SlidingWindowPolicy} by two numbers:
 * what was admitted in the current window of a fixed grid, and what was admitted in the one before
 * it, as if that had come evenly.
 *
 * <p>Windows are aligned to the epoch of 1970-01-01T00:00:00Z. A request is admitted when it fits
 * into what the limit leaves beside the current window's permits and the part of the previous
 * window's that still overlaps the window that ends now, rounded up. Where those came in fact late,
 * up to twice the limit less one is admitted within one window; where they came early, requests are
 * denied that the exact log would admit.
 *
 * @param limit permits in a window, from 1 to 10<sup>12</sup>
 * @param window length of a window, from 1 ms to 366 days in whole microseconds
 */
public record SlidingWindowCounterPolicy(long limit, Duration window) implements Policy {

  /**
   * Checks the bounds.
   *
   * @param limit the component of that name
   * @param window the component of that name
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public SlidingWindowCounterPolicy {
    Bounds.checkPermits("limit", limit);
    Bounds.checkWindow("window", window);
  }

  /**
   * Returns the policy of so many permits in a window.
   *
   * @param limit permits in a window, from 1 to 10<sup>12</sup>
   * @param window length of a window, from 1 ms to 366 days in whole microseconds
   * @return the policy
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public static SlidingWindowCounterPolicy of(long limit, Duration window) {
    return new SlidingWindowCounterPolicy(limit, window);
  }

  /**
   * Returns the policy of a quota; a burst is not read.
   *
   * @param quota the quota
   * @return the policy of {@code quota.limit()} permits in a {@code quota.window()}
   * @throws NullPointerException if {@code quota} is null
   */
  public static SlidingWindowCounterPolicy of(Quota quota) {
    return new SlidingWindowCounterPolicy(quota.limit(), quota.window());
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
  public SlidingWindowCounterPolicy dividedBy(int nodes) {
    return new SlidingWindowCounterPolicy(Bounds.share(limit, nodes), window);
  }

  /**
   * {@inheritDoc}
   *
   * <p>What counts at the first instant of the interval, and what stops counting until the last,
   * which is at most the limit per window. Over one window of at least as many microseconds as the
   * limit has permits that is twice the limit less one.
   */
  @Override
  public long admissionBound(Duration interval) {
    BigInteger d = Micros.ceil(interval);
    if (d.signum() <= 0) {
      return 0;
    }
    BigInteger most = BigInteger.valueOf(limit);
    BigInteger weightLost = d.subtract(BigInteger.ONE).multiply(most).divide(Micros.exact(window));
    return Bounds.saturated(most.add(weightLost));
  }

  /**
   * {@inheritDoc}
   *
   * @return two windows: what is admitted in one still counts in the next
   */
  @Override
  public Duration life() {
    return window.multipliedBy(2);
  }
}
