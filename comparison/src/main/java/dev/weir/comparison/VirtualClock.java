package dev.weir.comparison;

import java.time.Instant;
import java.time.InstantSource;

/** The clock of a replay: it says what it was last set to. */
final class VirtualClock implements InstantSource {

  private volatile long micros; // a limiter may read it on a thread of its own

  void set(long micros) {
    this.micros = micros;
  }

  @Override
  public Instant instant() {
    long now = micros;
    return Instant.ofEpochSecond(now / 1_000_000, now % 1_000_000 * 1_000);
  }
}
