package dev.weir.memory;

import dev.weir.internal.Micros;
import java.time.Instant;

/**
 * The default clock: the wall clock read once when this class is loaded, and from then on what
 * {@link System#nanoTime()} adds. So it never steps, and all limiters of a JVM agree on the time.
 */
@SuppressWarnings("TimeInStaticInitializer") // what this class is for
final class SteadyClock {

  private static final long ORIGIN_NANOS = System.nanoTime();
  private static final long ORIGIN_MICROS = Micros.of(Instant.now());

  private SteadyClock() {}

  /** Returns the microseconds since 1970. */
  static long nowMicros() {
    return ORIGIN_MICROS + (System.nanoTime() - ORIGIN_NANOS) / 1_000;
  }
}
