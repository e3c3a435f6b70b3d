package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.internal.Micros;

/**
 * A sliding window counter limiter in memory: it counts what is admitted in each window of a grid
 * that is aligned to 1970-01-01T00:00:00Z, and weighs the count of the previous window by the part
 * of it that still overlaps the window that ends now.
 *
 * <p>A key costs about 100 bytes, the key string aside, and is released two windows after its last
 * admission. No method blocks, save for the moment in which another thread decides on the same key.
 * Safe for use by any number of threads.
 */
public final class InMemorySlidingWindowCounter
    extends InMemoryLimiter<SlidingWindowCounterPolicy, InMemorySlidingWindowCounter.Counters> {

  private final long window;

  private InMemorySlidingWindowCounter(SlidingWindowCounterPolicy policy, InMemoryOptions options) {
    super("sliding-window-counter", policy, options, Counters::new);
    window = Micros.of(policy.window());
  }

  /**
   * Returns a limiter with the default options.
   *
   * @param policy the policy
   * @return a new limiter with a store of its own
   * @throws NullPointerException if {@code policy} is null
   */
  public static InMemorySlidingWindowCounter create(SlidingWindowCounterPolicy policy) {
    return create(policy, InMemoryOptions.defaults());
  }

  /**
   * Returns a limiter.
   *
   * @param policy the policy
   * @param options the namespace, the clock, the store and the ceiling on keys
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static InMemorySlidingWindowCounter create(
      SlidingWindowCounterPolicy policy, InMemoryOptions options) {
    return new InMemorySlidingWindowCounter(policy, options);
  }

  @Override
  Decision decide(Counters counters, long permits, long now, boolean take) {
    long previous = 0;
    long current = 0;
    long at = now;
    if (counters.isUsed()) {
      long last = counters.last;
      if (last - now > 2 * window) {
        current = counters.estimateAtLast();
        if (take) {
          counters.store(0, current, window, now);
        }
      } else {
        at = Math.max(now, last);
        long start = at - at % window;
        boolean converted = counters.window != window;
        long then = converted ? counters.estimateAtLast() : counters.current;
        if (last >= start) {
          previous = converted ? 0 : counters.previous;
          current = then;
        } else if (last >= start - window) {
          previous = then;
        }
      }
    }
    long untilBorder = window - at % window;
    long free = limit - current - weighted(previous, untilBorder, window);
    boolean allowed = permits <= free;
    long retryAfter = 0;
    if (allowed) {
      current += permits;
      free -= permits;
      if (take) {
        counters.store(previous, current, window, at);
      }
    } else {
      retryAfter =
          permits > limit ? NEVER : microsUntil(permits, previous, current, untilBorder) + at - now;
    }
    long resetAfter = 0;
    if (current > 0) {
      resetAfter = untilBorder + window + at - now;
    } else if (previous > 0) {
      resetAfter = untilBorder + at - now;
    }
    return decision(allowed, Math.max(0, free), retryAfter, resetAfter);
  }

  @Override
  void inherit(Counters heir, Counters from) {
    heir.store(from.previous, from.current, from.window, from.last);
  }

  /** Returns the time until a request fits that does not now: in this window, or in the next. */
  private long microsUntil(long permits, long previous, long current, long untilBorder) {
    long left = limit - permits;
    return left >= current
        ? untilBorder - MultiplyDivide.floor(left - current, window, previous)
        : untilBorder + window - MultiplyDivide.floor(left, window, current);
  }

  /** Returns the part of a window's count that a part of the window stands for, rounded up. */
  private static long weighted(long count, long part, long window) {
    long whole = MultiplyDivide.floor(count, part, window);
    return count * part == whole * window ? whole : whole + 1;
  }

  /** What was admitted in the window of the last admission, and what in the one before it. */
  static final class Counters extends State<Counters> {

    private long previous;
    private long current;

    /** The window of who wrote them. */
    private long window;

    Counters(String key) {
      super(key);
    }

    /** What counted right after the last admission. */
    private long estimateAtLast() {
      return current + weighted(previous, window - last % window, window);
    }

    private void store(long previous, long current, long window, long last) {
      this.previous = previous;
      this.current = current;
      this.window = window;
      this.last = last;
    }
  }
}
