package dev.weir.internal;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;

/** The bounds of what callers may give, each with its check and its message. */
public final class Bounds {

  /** The most that a limit, a capacity, a burst or a refill may be, in permits. */
  public static final long MAX_PERMITS = 1_000_000_000_000L;

  /** The shortest window or period. */
  public static final Duration MIN_WINDOW = Duration.ofMillis(1);

  /** The longest window or period. */
  public static final Duration MAX_WINDOW = Duration.ofDays(366);

  /** The longest time in which an empty bucket may become full. */
  public static final Duration MAX_FILL_TIME = Duration.ofDays(3660);

  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private Bounds() {}

  /** Refuses a number of permits that no policy may have. */
  public static void checkPermits(String what, long value) {
    if (value < 1 || value > MAX_PERMITS) {
      throw new IllegalArgumentException(
          what + " is " + value + ", must be from 1 to " + MAX_PERMITS);
    }
  }

  /** Refuses a window or period that no policy may have. */
  public static void checkWindow(String what, Duration value) {
    Objects.requireNonNull(value, what);
    if (value.compareTo(MIN_WINDOW) < 0
        || value.compareTo(MAX_WINDOW) > 0
        || value.toNanosPart() % 1_000 != 0) {
      throw new IllegalArgumentException(
          what + " is " + value + ", must be from 1 ms to 366 days in whole microseconds");
    }
  }

  /** Refuses a bucket that takes too long to fill. */
  public static void checkFillTime(BigInteger micros) {
    if (micros.compareTo(Micros.exact(MAX_FILL_TIME)) > 0) {
      throw new IllegalArgumentException(
          "an empty bucket is full after "
              + micros.divide(Micros.exact(Duration.ofDays(1)))
              + " days, must be within "
              + MAX_FILL_TIME.toDays()
              + " days: refill faster or lower the capacity");
    }
  }

  /** Refuses a namespace that is null or empty. */
  public static String checkNamespace(String namespace) {
    Objects.requireNonNull(namespace, "namespace");
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("namespace is empty, must have at least 1 character");
    }
    return namespace;
  }

  /** Refuses a key that is null or empty. Never shows it: keys can be secrets. */
  public static void checkKey(String key) {
    Objects.requireNonNull(key, "key");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key is empty, must have at least 1 character");
    }
  }

  /** Refuses a request that is not for at least one permit, or whose key is null or empty. */
  public static void checkRequest(String key, long permits) {
    checkKey(key);
    if (permits < 1) {
      throw new IllegalArgumentException("permits is " + permits + ", must be at least 1");
    }
  }

  /** Returns what one of so many nodes gets of a number of permits, at least 1. */
  public static long share(long permits, int nodes) {
    if (nodes < 1) {
      throw new IllegalArgumentException("nodes is " + nodes + ", must be at least 1");
    }
    return Math.max(1, permits / nodes);
  }

  /** Divides a non-negative number by a positive one, rounding up. */
  public static BigInteger ceilDivide(BigInteger dividend, BigInteger divisor) {
    return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
  }

  /** Returns the number, or {@link Long#MAX_VALUE} if it is greater. */
  public static long saturated(BigInteger value) {
    return value.min(LONG_MAX).longValueExact();
  }
}
