package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** One key of an algorithm, written down as plainly as it can be, and never released. */
interface Model<P> {

  /** Answers as of a time; a {@code peek} if nothing is to be taken. */
  Decision ask(P policy, long permits, long now, boolean take);

  void reset();

  private static Decision decision(
      boolean allowed, long permits, long limit, long remaining, long retry, long reset) {
    Duration resetAfter = Duration.of(reset, ChronoUnit.MICROS);
    if (allowed) {
      return Decision.admitted(limit, remaining, resetAfter);
    }
    Duration retryAfter = permits > limit ? Decision.NEVER : Duration.of(retry, ChronoUnit.MICROS);
    return Decision.denied(limit, remaining, retryAfter, resetAfter);
  }

  /** Counts in the windows of a grid. */
  final class FixedWindow implements Model<FixedWindowPolicy> {
    private long last;
    private long count;

    @Override
    public Decision ask(FixedWindowPolicy policy, long permits, long now, boolean take) {
      long window = Micros.of(policy.window());
      long at = now;
      if (count > 0 && last > now) {
        if (last - now > window) {
          long border = (now + window - 1) / window * window;
          if (!take) {
            FixedWindow copy = new FixedWindow();
            copy.last = border;
            copy.count = count;
            return copy.ask(policy, permits, now, false);
          }
          last = border;
        }
        at = last;
      }
      long used = last / window == at / window ? count : 0;
      boolean allowed = permits <= policy.limit() - used;
      long after = allowed ? used + permits : used;
      long end = (at / window + 1) * window;
      if (allowed && take) {
        last = at;
        count = after;
      }
      return decision(
          allowed,
          permits,
          policy.limit(),
          Math.max(0, policy.limit() - after),
          end - now,
          after == 0 ? 0 : end - now);
    }

    @Override
    public void reset() {
      last = 0;
      count = 0;
    }
  }

  /** Remembers single entries and adds them up. */
  final class SlidingWindowLog implements Model<SlidingWindowPolicy> {
    private record Entry(long time, long permits) {}

    private List<Entry> entries = new ArrayList<>();

    @Override
    public Decision ask(SlidingWindowPolicy policy, long permits, long now, boolean take) {
      long window = Micros.of(policy.window());
      long at = now;
      List<Entry> live = entries;
      long last = entries.isEmpty() ? now : entries.get(entries.size() - 1).time;
      if (last - now > window) {
        live = List.of(new Entry(now, sum(after(entries, last - window))));
        if (take) {
          entries = live;
        }
      } else {
        at = Math.max(now, last);
      }
      live = after(live, at - window);
      long left = policy.limit() - sum(live);
      boolean allowed = permits <= left;
      if (allowed) {
        live = new ArrayList<>(live);
        live.add(new Entry(at, permits));
        left -= permits;
        if (take) {
          entries = live; // what this policy does not count any more is forgotten
        }
      }
      long retry = 0;
      long freed = left;
      for (int i = 0; i < live.size() && freed < permits; i++) {
        freed += live.get(i).permits;
        retry = live.get(i).time + window - now;
      }
      long reset = live.isEmpty() ? 0 : live.get(live.size() - 1).time + window - now;
      return decision(allowed, permits, policy.limit(), Math.max(0, left), retry, reset);
    }

    private static List<Entry> after(List<Entry> entries, long time) {
      return entries.stream().filter(entry -> entry.time > time).toList();
    }

    private static long sum(List<Entry> entries) {
      return entries.stream().mapToLong(Entry::permits).sum();
    }

    @Override
    public void reset() {
      entries = new ArrayList<>();
    }
  }

  /** Keeps the level in parts of a token, without a bound on the size of numbers. */
  final class TokenBucket implements Model<TokenBucketPolicy> {
    private BigInteger parts; // of the scale; null: full
    private BigInteger scale;
    private long last;

    @Override
    public Decision ask(TokenBucketPolicy policy, long permits, long now, boolean take) {
      BigInteger period = BigInteger.valueOf(Micros.of(policy.refillPeriod()));
      BigInteger full = BigInteger.valueOf(policy.capacity()).multiply(period);
      BigInteger refill = BigInteger.valueOf(policy.refillTokens());
      long at = now;
      BigInteger level = full;
      if (parts != null) {
        level = parts.multiply(period).divide(scale).min(full);
        if (last - now > Micros.of(policy.life())) {
          if (take) {
            parts = level;
            scale = period;
            last = now;
          }
        } else {
          at = Math.max(now, last);
          level = level.add(refill.multiply(BigInteger.valueOf(at - last))).min(full);
        }
      }
      BigInteger asked = BigInteger.valueOf(permits).multiply(period);
      boolean allowed = asked.compareTo(level) <= 0;
      if (allowed) {
        level = level.subtract(asked);
        if (take) {
          parts = level;
          scale = period;
          last = at;
        }
      }
      return decision(
          allowed,
          permits,
          policy.capacity(),
          level.divide(period).longValueExact(),
          allowed || permits > policy.capacity() ? 0 : wait(asked, level, refill) + at - now,
          level.equals(full) ? 0 : wait(full, level, refill) + at - now);
    }

    private static long wait(BigInteger target, BigInteger level, BigInteger refill) {
      return target
          .subtract(level)
          .add(refill)
          .subtract(BigInteger.ONE)
          .divide(refill)
          .longValueExact();
    }

    @Override
    public void reset() {
      parts = null;
    }
  }
}
