package dev.weir.conformance.internal;

import dev.weir.SlidingWindowPolicy;
import dev.weir.internal.Micros;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The sliding window log by its definition. */
public final class SlidingWindowReference
    extends ReferenceLimiter<List<SlidingWindowReference.Entry>> {

  private final SlidingWindowPolicy policy;

  /** Creates a limiter on states that others may share. */
  public SlidingWindowReference(
      SlidingWindowPolicy policy, InstantSource clock, Map<String, List<Entry>> states) {
    super(clock, states);
    this.policy = policy;
  }

  /** Permits that were admitted at a time. */
  public record Entry(long time, long permits) {}

  @Override
  public SlidingWindowPolicy policy() {
    return policy;
  }

  @Override
  Outcome<List<Entry>> decide(@Nullable List<Entry> stored, long permits, long now) {
    long window = Micros.of(policy.window());
    List<Entry> log = stored == null ? List.of() : stored;
    long last = log.isEmpty() ? now : log.get(log.size() - 1).time();
    if (last - now > window) {
      log = List.of(new Entry(now, sum(live(log, last, window))));
      last = now;
    }
    long at = Math.max(now, last);
    List<Entry> live = live(log, at, window);
    long used = sum(live);
    boolean allowed = permits <= policy.limit() - used;
    long retry = 0;
    if (allowed) {
      log = new ArrayList<>(log);
      log.add(new Entry(at, permits));
      live = live(log, at, window);
      used += permits;
    } else {
      long left = used;
      for (Entry entry : live) {
        left -= entry.permits();
        retry = entry.time() + window - now;
        if (permits <= policy.limit() - left) {
          break;
        }
      }
    }
    return new Outcome<>(
        decision(
            allowed,
            Math.max(0, policy.limit() - used),
            permits > policy.limit() ? OptionalLong.empty() : OptionalLong.of(retry),
            live.isEmpty() ? 0 : live.get(live.size() - 1).time() + window - now),
        log.isEmpty() ? null : log);
  }

  @Override
  public SlidingWindowReference withLimit(long limit) {
    return new SlidingWindowReference(
        SlidingWindowPolicy.of(limit, policy.window()), clock, states);
  }

  @Override
  long meaninglessFrom(List<Entry> log) {
    return log.get(log.size() - 1).time() + Micros.of(policy.window());
  }

  /** The entries that count, oldest first; the log is in the order of time. */
  private static List<Entry> live(List<Entry> log, long at, long window) {
    int from = log.size();
    while (from > 0 && log.get(from - 1).time() > at - window) {
      from--;
    }
    return log.subList(from, log.size());
  }

  private static long sum(List<Entry> log) {
    return log.stream().mapToLong(Entry::permits).sum();
  }
}
