package com.google.common.util.concurrent;

import java.util.function.LongSupplier;

/**
 * Opens to tests what Guava's own tests inject the time through, and what is private to this
 * package.
 */
public final class RateLimiters {

  private RateLimiters() {}

  /** What {@link RateLimiter#create(double)} returns, with another source of time. */
  public static RateLimiter create(double permitsPerSecond, LongSupplier micros) {
    return RateLimiter.create(
        permitsPerSecond,
        new RateLimiter.SleepingStopwatch() {
          @Override
          protected long readMicros() {
            return micros.getAsLong();
          }

          @Override
          protected void sleepMicrosUninterruptibly(long wait) {
            if (wait > 0) {
              throw new IllegalStateException("nobody is to wait here, not even " + wait + " us");
            }
          }
        });
  }
}
