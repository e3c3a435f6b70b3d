package dev.weir.internal;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Time in whole microseconds, the resolution of every limiter. */
public final class Micros {

  /** The last time that a limiter decides at: 2<sup>53</sup> microseconds, in the year 2255. */
  public static final long MAX_TIME = 1L << 53;

  private static final BigInteger PER_SECOND = BigInteger.valueOf(1_000_000);

  private Micros() {}

  /** Returns the microseconds since 1970 of a time, rounded down. */
  public static long of(Instant instant) {
    long micros;
    try {
      micros =
          Math.addExact(
              Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    } catch (ArithmeticException e) {
      micros = -1;
    }
    if (micros < 0 || micros > MAX_TIME) {
      throw new IllegalArgumentException(
          "the clock says "
              + instant
              + ", must be from 1970-01-01T00:00:00Z to "
              + Instant.EPOCH.plus(MAX_TIME, ChronoUnit.MICROS));
    }
    return micros;
  }

  /** Returns the microseconds of a window, a period or a life, which are whole. */
  public static long of(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
  }

  /** Returns the duration of so many microseconds. */
  public static Duration toDuration(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  /** Returns the microseconds of a duration, whatever its length, rounded down. */
  public static BigInteger exact(Duration duration) {
    return BigInteger.valueOf(duration.getSeconds())
        .multiply(PER_SECOND)
        .add(BigInteger.valueOf(duration.getNano() / 1_000));
  }

  /** Returns the microseconds of a duration, whatever its length, rounded up. */
  public static BigInteger ceil(Duration duration) {
    BigInteger floor = exact(duration);
    return duration.toNanosPart() % 1_000 == 0 ? floor : floor.add(BigInteger.ONE);
  }

  /** Returns a duration of whole microseconds with the largest unit that divides it: {@code 1m}. */
  public static String text(Duration duration) {
    long micros = of(duration);
    long[] sizes = {86_400_000_000L, 3_600_000_000L, 60_000_000L, 1_000_000L, 1_000L};
    String[] units = {"d", "h", "m", "s", "ms"};
    for (int i = 0; i < sizes.length; i++) {
      if (micros % sizes[i] == 0) {
        return micros / sizes[i] + units[i];
      }
    }
    return micros + "us";
  }
}
