package dev.weir.memory;

import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved, forward or back. */
final class VirtualClock implements InstantSource {

  private final AtomicLong micros;

  VirtualClock(long micros) {
    this.micros = new AtomicLong(micros);
  }

  /** A clock at a border of every window that divides a day. */
  static VirtualClock atMidnight() {
    return new VirtualClock(Duration.ofDays(20_000).toSeconds() * 1_000_000);
  }

  long micros() {
    return micros.get();
  }

  /** Moves the clock, but not out of the times that limiters accept. */
  void move(long byMicros) {
    micros.updateAndGet(now -> Math.max(0, Math.min(Micros.MAX_TIME, now + byMicros)));
  }

  void advance(Duration duration) {
    move(Micros.of(duration));
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plus(micros.get(), ChronoUnit.MICROS);
  }
}
