package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.internal.Micros;

/**
 * A fixed window limiter in memory: it counts what is admitted in each window of a grid that is
 * aligned to 1970-01-01T00:00:00Z.
 *
 * <p>A key costs about 80 bytes, the key string aside, and is released two windows after its last
 * admission. No method blocks, save for the moment in which another thread decides on the same key.
 * Safe for use by any number of threads.
 */
public final class InMemoryFixedWindow
    extends InMemoryLimiter<FixedWindowPolicy, InMemoryFixedWindow.Window> {

  private final long window;

  private InMemoryFixedWindow(FixedWindowPolicy policy, InMemoryOptions options) {
    // Two windows, not one: a clock that steps back may return to the window of the last admission.
    // If that were forgotten, the limit would come from it again and from the next, too close to
    // what came before.
    super("fixed-window", policy, policy.window().multipliedBy(2), options, Window::new);
    window = Micros.of(policy.window());
  }

  /**
   * Returns a limiter with the default options.
   *
   * @param policy the policy
   * @return a new limiter with a store of its own
   * @throws NullPointerException if {@code policy} is null
   */
  public static InMemoryFixedWindow create(FixedWindowPolicy policy) {
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
  public static InMemoryFixedWindow create(FixedWindowPolicy policy, InMemoryOptions options) {
    return new InMemoryFixedWindow(policy, options);
  }

  @Override
  Decision decide(Window state, long permits, long now, boolean take) {
    long last = state.last;
    if (last - now > window) {
      last = now + Math.floorMod(-now, window); // the first border at or after now
      if (take) {
        state.last = last;
      }
    }
    long at = Math.max(now, last);
    long start = at - at % window;
    long untilEnd = start + window - now;
    long used = last >= start ? state.count : 0;
    boolean allowed = permits <= limit - used;
    if (allowed) {
      used += permits;
      if (take) {
        state.last = at;
        state.count = used;
      }
    }
    return decision(
        allowed,
        Math.max(0, limit - used),
        allowed ? 0 : permits > limit ? NEVER : untilEnd,
        used > 0 ? untilEnd : 0);
  }

  @Override
  void inherit(Window heir, Window from) {
    heir.last = from.last;
    heir.count = from.count;
  }

  /** The permits of the window in which the last admission was. */
  static final class Window extends State<Window> {

    long count;

    Window(String key) {
      super(key);
    }
  }
}
