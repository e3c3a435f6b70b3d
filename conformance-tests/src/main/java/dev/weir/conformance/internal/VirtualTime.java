package dev.weir.conformance.internal;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of a run: a clock that may step, and true time, which only passes. Any thread may read.
 */
final class VirtualTime implements InstantSource {

  private long clock;
  private long elapsed;
  private long jumped;

  VirtualTime(long start) {
    clock = start;
  }

  @Override
  public synchronized Instant instant() {
    return Times.instant(clock);
  }

  synchronized long clock() {
    return clock;
  }

  synchronized long elapsed() {
    return elapsed;
  }

  synchronized long jumped() {
    return jumped;
  }

  /** Lets time pass; not beyond the last time that limiters know. */
  synchronized void advance(long micros) {
    long by = Math.max(0, Math.min(micros, Times.MAX - clock));
    elapsed += by;
    clock += by;
  }

  /** Sets the clock back, not beyond 1970. Returns by how much. */
  synchronized long back(long micros) {
    long by = Math.min(micros, clock);
    clock -= by;
    return by;
  }

  /** Sets the clock forward, not beyond the last time. Returns by how much. */
  synchronized long forward(long micros) {
    long by = Math.min(micros, Times.MAX - clock);
    clock += by;
    jumped += by;
    return by;
  }
}
