package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.SlidingWindowPolicy;
import dev.weir.internal.Micros;

/**
 * A sliding window log limiter in memory: it remembers when permits were admitted, and so never
 * admits more than the limit in any window.
 *
 * <p>A key costs about 105 bytes, the key string aside, and 16 to 64 bytes for each microsecond in
 * which it was admitted within the window; it is released one window after its last admission. No
 * method blocks, save for the moment in which another thread decides on the same key. Safe for use
 * by any number of threads.
 */
@SuppressWarnings("exports") // the superclass is not public, so callers see neither it nor Log
public final class InMemorySlidingWindow extends InMemoryLimiter<SlidingWindowPolicy, Log> {

  private final long window;

  private InMemorySlidingWindow(SlidingWindowPolicy policy, InMemoryOptions options) {
    super("sliding-window", policy, options, Log::new);
    window = Micros.of(policy.window());
  }

  /**
   * Returns a limiter with the default options.
   *
   * @param policy the policy
   * @return a new limiter with a store of its own
   * @throws NullPointerException if {@code policy} is null
   */
  public static InMemorySlidingWindow create(SlidingWindowPolicy policy) {
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
  public static InMemorySlidingWindow create(SlidingWindowPolicy policy, InMemoryOptions options) {
    return new InMemorySlidingWindow(policy, options);
  }

  @Override
  Decision decide(Log log, long permits, long now, boolean take) {
    if (log.last - now > window) {
      long used = usedAtLast(log);
      Log rebased = take ? log : new Log(log.key);
      rebased.clear();
      rebased.append(now, used);
      return decide(rebased, permits, now, take);
    }
    long at = Math.max(now, log.last);
    int first = log.firstAfter(at - window);
    long used = log.permitsFrom(first);
    if (permits <= limit - used) {
      if (take) {
        log.dropBefore(first);
        log.append(at, permits);
      }
      return decision(true, limit - used - permits, 0, at + window - now);
    }
    return decision(
        false,
        Math.max(0, limit - used),
        permits > limit
            ? NEVER
            : log.time(log.firstReaching(used + permits - limit, first)) + window - now,
        used > 0 ? log.last + window - now : 0);
  }

  /** The time and the number of the permits become one entry, for a log may be long. */
  @Override
  void inherit(Log heir, Log from) {
    heir.append(from.last, usedAtLast(from));
  }

  private long usedAtLast(Log log) {
    return log.permitsFrom(log.firstAfter(log.last - window));
  }
}
