package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Fixture;
import java.util.ArrayList;
import java.util.List;

/** A correct sliding window log in pieces. */
class SlidingWindowSkeleton
    extends Skeleton<SlidingWindowPolicy, List<SlidingWindowSkeleton.Entry>> {

  /** Permits that were admitted at a time. */
  record Entry(long time, long permits) {}

  SlidingWindowSkeleton(SlidingWindowPolicy policy, Fixture fixture) {
    super(policy, fixture);
  }

  @Override
  Decision decide(String key, long permits, long now, boolean take) {
    List<Entry> log = get(key, now);
    log = log == null ? List.of() : log;
    if (newest(log, now) - now > life) {
      log = rebased(log, now);
      if (take) {
        put(key, log);
      }
    }
    long at = Math.max(now, newest(log, now));
    log = live(log, at);
    long used = used(log);
    boolean allowed = permits <= limit - used;
    long retry = permits > limit ? NEVER : allowed ? 0 : retry(log, used, permits) - now;
    if (allowed) {
      log = with(log, at, permits);
      used = used(log);
    }
    if (take && allowed) {
      put(key, log);
    } else if (take) {
      denied(key, log, at, permits);
    }
    return answer(allowed, Math.max(0, limit - used), retry, log.isEmpty() ? 0 : reset(log, now));
  }

  List<Entry> rebased(List<Entry> log, long now) {
    return List.of(new Entry(now, used(live(log, newest(log, now)))));
  }

  static long newest(List<Entry> log, long now) {
    return log.isEmpty() ? now : log.get(log.size() - 1).time();
  }

  List<Entry> live(List<Entry> log, long at) {
    return log.stream().filter(entry -> counts(entry.time(), at)).toList();
  }

  boolean counts(long time, long at) {
    return time > at - life;
  }

  long used(List<Entry> log) {
    return log.stream().mapToLong(Entry::permits).sum();
  }

  List<Entry> with(List<Entry> log, long at, long permits) {
    List<Entry> longer = new ArrayList<>(log);
    longer.add(new Entry(at, permits));
    return longer;
  }

  void denied(String key, List<Entry> log, long at, long permits) {}

  /** When so many have left that the permits fit. */
  long retry(List<Entry> log, long used, long permits) {
    long left = used;
    for (Entry entry : log) {
      left -= entry.permits();
      if (permits <= limit - left) {
        return entry.time() + life;
      }
    }
    return newest(log, 0) + life;
  }

  long reset(List<Entry> log, long now) {
    return newest(log, now) + life - now;
  }

  @Override
  long until(List<Entry> log) {
    return newest(log, 0) + life;
  }
}
