package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.conformance.Fixture;

/** A correct fixed window in pieces. */
class FixedWindowSkeleton extends Skeleton<FixedWindowPolicy, FixedWindowSkeleton.Window> {

  /** The time of the last admission, and what its window has admitted. */
  record Window(long last, long count) {}

  FixedWindowSkeleton(FixedWindowPolicy policy, Fixture fixture) {
    super(policy, fixture);
  }

  @Override
  Decision decide(String key, long permits, long now, boolean take) {
    Window window = get(key, now);
    if (window != null && window.last() - now > life) {
      window = rebased(window, now);
      if (take) {
        put(key, window);
      }
    }
    long at = window == null ? now : Math.max(now, window.last());
    long used = window != null && end(window.last()) == end(at) ? window.count() : 0;
    boolean allowed = admits(used, permits);
    if (allowed) {
      used += charge(permits);
    }
    if (take && allowed) {
      put(key, new Window(at, used));
    } else if (take) {
      denied(key, at, used, permits);
    }
    return answer(
        allowed,
        remaining(used),
        permits > limit ? NEVER : retry(end(at), now),
        used > 0 ? end(at) - now : 0);
  }

  Window rebased(Window window, long now) {
    return new Window((now + life - 1) / life * life, window.count());
  }

  long end(long time) {
    return (time / life + 1) * life;
  }

  boolean admits(long used, long permits) {
    return permits <= limit - used;
  }

  long charge(long permits) {
    return permits;
  }

  void denied(String key, long at, long used, long permits) {}

  long remaining(long used) {
    return Math.max(0, limit - used);
  }

  long retry(long end, long now) {
    return end - now;
  }

  @Override
  long until(Window window) {
    return window.last() + 2 * life;
  }
}
