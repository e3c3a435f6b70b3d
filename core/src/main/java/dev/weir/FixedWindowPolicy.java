package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The fixed window policy admits at most {@code limit} permits in each window of a fixed grid.
 *
 * <p>Windows are aligned to the epoch of 1970-01-01T00:00:00Z: with a window of one minute they
 * start at every full minute. Around a border up to twice the limit is admitted within a moment;
 * where that matters take {@link SlidingWindowPolicy}.
 *
 * @param limit permits a window, from 1 to 10<sup>12</sup>
 * @param window length of a window, from 1 ms to 366 days in whole microseconds
 */
public record FixedWindowPolicy(long limit, Duration window) implements Policy {

  /**
   * Checks the bounds.
   *
   * @param limit the component of that name
   * @param window the component of that name
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public FixedWindowPolicy {
    Bounds.checkPermits("limit", limit);
    Bounds.checkWindow("window", window);
  }

  /**
   * Returns the policy of so many permits a window.
   *
   * @param limit permits a window, from 1 to 10<sup>12</sup>
   * @param window length of a window, from 1 ms to 366 days in whole microseconds
   * @return the policy
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public static FixedWindowPolicy of(long limit, Duration window) {
    return new FixedWindowPolicy(limit, window);
  }

  /**
   * Returns the policy of a quota; a burst is not read.
   *
   * @param quota the quota
   * @return the policy of {@code quota.limit()} permits per {@code quota.window()}
   * @throws NullPointerException if {@code quota} is null
   */
  public static FixedWindowPolicy of(Quota quota) {
    return new FixedWindowPolicy(quota.limit(), quota.window());
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
  public FixedWindowPolicy dividedBy(int nodes) {
    return new FixedWindowPolicy(Bounds.share(limit, nodes), window);
  }

  /**
   * {@inheritDoc}
   *
   * <p>An interval of d touches at most ceil((d - 1) / window) + 1 windows. The bound is exact.
   */
  @Override
  public long admissionBound(Duration interval) {
    BigInteger d = Micros.ceil(interval);
    if (d.signum() <= 0) {
      return 0;
    }
    BigInteger windows =
        Bounds.ceilDivide(d.subtract(BigInteger.ONE), Micros.exact(window)).add(BigInteger.ONE);
    return Bounds.saturated(windows.multiply(BigInteger.valueOf(limit)));
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
