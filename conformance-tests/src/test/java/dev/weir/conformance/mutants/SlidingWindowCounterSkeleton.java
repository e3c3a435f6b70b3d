package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Fixture;
import java.math.BigInteger;

/** A correct sliding window counter in pieces. */
class SlidingWindowCounterSkeleton
    extends Skeleton<SlidingWindowCounterPolicy, SlidingWindowCounterSkeleton.Counts> {

  /** A time, what its window has admitted, and what the one before it has. */
  record Counts(long time, long previous, long current) {}

  final long window;

  SlidingWindowCounterSkeleton(SlidingWindowCounterPolicy policy, Fixture fixture) {
    super(policy, fixture);
    this.window = micros(policy.window());
  }

  @Override
  Decision decide(String key, long permits, long now, boolean take) {
    Counts counts = get(key, now);
    if (counts != null && counts.time() - now > life) {
      counts = rebased(counts, now);
      if (take) {
        put(key, counts);
      }
    }
    counts = counts == null ? new Counts(now, 0, 0) : at(counts, Math.max(now, counts.time()));
    boolean allowed = permits <= limit - used(counts);
    if (allowed) {
      counts = new Counts(counts.time(), counts.previous(), counts.current() + permits);
      if (take) {
        put(key, counts);
      }
    }
    return answer(
        allowed,
        Math.max(0, limit - used(counts)),
        permits > limit ? NEVER : allowed ? 0 : retry(counts, permits) - now,
        used(counts) == 0 ? 0 : reset(counts) - now);
  }

  Counts rebased(Counts counts, long now) {
    return new Counts(now, 0, used(counts));
  }

  /** The counts as they are seen from a later time. */
  Counts at(Counts counts, long time) {
    long windows = time / window - counts.time() / window;
    return new Counts(
        time,
        windows == 0 ? counts.previous() : previous(counts.current(), windows),
        windows == 0 ? counts.current() : 0);
  }

  /** What counts as the previous window's of what was admitted so many windows ago. */
  long previous(long current, long windows) {
    return windows == 1 ? current : 0;
  }

  long used(Counts counts) {
    return counts.current() + weighted(counts.previous(), border(counts) - counts.time());
  }

  long weighted(long count, long overlap) {
    BigInteger[] parts = parts(count, overlap);
    return parts[0].longValueExact() + parts[1].signum();
  }

  /** The part of a count that overlaps, whole and rest. */
  BigInteger[] parts(long count, long overlap) {
    return BigInteger.valueOf(count)
        .multiply(BigInteger.valueOf(overlap))
        .divideAndRemainder(BigInteger.valueOf(window));
  }

  /** The end of the current window. */
  long border(Counts counts) {
    return (counts.time() / window + 1) * window;
  }

  /** When the permits fit. */
  long retry(Counts counts, long permits) {
    return first(counts, limit - permits);
  }

  long reset(Counts counts) {
    return first(counts, 0);
  }

  /** The first time from which at most so many are used. */
  long first(Counts counts, long used) {
    long low = counts.time();
    long high = counts.time() + life;
    while (low < high) {
      long middle = (low + high) / 2;
      if (used(at(counts, middle)) <= used) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  long until(Counts counts) {
    return counts.time() + life;
  }
}
