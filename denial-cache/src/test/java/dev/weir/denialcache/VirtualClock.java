package dev.weir.denialcache;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved, forward or back, by as little as a nanosecond. */
final class VirtualClock implements InstantSource {

  private final AtomicLong nanos = new AtomicLong(Duration.ofDays(20_000).toNanos());

  void move(long byNanos) {
    nanos.addAndGet(byNanos);
  }

  void advance(Duration duration) {
    move(duration.toNanos());
  }

  long nanos() {
    return nanos.get();
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }
}
