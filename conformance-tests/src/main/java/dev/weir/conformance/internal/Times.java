package dev.weir.conformance.internal;

import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/** Times and durations in whole microseconds. */
final class Times {

  static final long MAX = Micros.MAX_TIME;

  private Times() {}

  static long micros(Instant instant) {
    return Micros.of(instant);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(duration(micros));
  }

  /** The microseconds of a duration rounded up; the greatest number for those that are longer. */
  static long micros(Duration duration) {
    return Micros.ceil(duration).min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
  }

  static Duration duration(long micros) {
    return Micros.toDuration(micros);
  }

  /** The next multiple of a tick at or after a number that is not negative. */
  static long ceil(long micros, long tick) {
    long over = micros % tick;
    return over == 0 || micros > Long.MAX_VALUE - tick ? micros : micros + tick - over;
  }
}
