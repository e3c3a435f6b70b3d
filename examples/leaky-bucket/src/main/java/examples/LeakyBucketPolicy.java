package examples;

import dev.weir.Policy;
import dev.weir.Quota;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * A queue of {@code limit} places, from which one permit leaves every {@code interval}.
 *
 * @param limit the places, at least 1
 * @param interval the time between two departures, whole microseconds, at least one
 */
public record LeakyBucketPolicy(long limit, Duration interval) implements Policy {

  public LeakyBucketPolicy {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    }
    if (interval.compareTo(Duration.of(1, ChronoUnit.MICROS)) < 0 || interval.toNanos() % 1_000 != 0) {
      throw new IllegalArgumentException("interval must be whole microseconds, at least 1, was " + interval);
    }
  }

  /** So many permits a window, evenly: a departure every window / limit, rounded up to a microsecond. */
  public static LeakyBucketPolicy of(Quota quota) {
    long windowMicros = quota.window().toNanos() / 1_000;
    return new LeakyBucketPolicy(
        quota.limit(), Duration.of((windowMicros + quota.limit() - 1) / quota.limit(), ChronoUnit.MICROS));
  }

  /** A full queue, and one place for every departure within the interval. */
  @Override
  public long admissionBound(Duration interval) {
    if (interval.isNegative() || interval.isZero()) {
      return 0;
    }
    return limit + interval.minusNanos(1).dividedBy(this.interval);
  }

  @Override
  public Duration life() {
    return interval.multipliedBy(limit);
  }
}
