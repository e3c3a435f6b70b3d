package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

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

  /** Weighs two counts by the formula, and finds the waits by trying out times. */
  final class SlidingWindowCounter implements Model<SlidingWindowCounterPolicy> {
    private record Counters(long last, long previous, long current, long window) {

      /** As they are seen from a later time. */
      Counters at(long time) {
        long windows = time / window - last / window;
        return new Counters(
            time,
            windows == 0 ? previous : windows == 1 ? current : 0,
            windows == 0 ? current : 0,
            window);
      }

      long estimate() {
        BigInteger[] weighted =
            BigInteger.valueOf(previous)
                .multiply(BigInteger.valueOf(window - last % window))
                .divideAndRemainder(BigInteger.valueOf(window));
        return current + weighted[0].longValueExact() + weighted[1].signum();
      }

      /** How long until the estimate is at most so much. */
      long micros(long estimate) {
        return first(2 * window, micros -> at(last + micros).estimate() <= estimate);
      }
    }

    private static final Counters NEW = new Counters(0, 0, 0, 1);

    private Counters stored = NEW;

    @Override
    public Decision ask(SlidingWindowCounterPolicy policy, long permits, long now, boolean take) {
      long window = Micros.of(policy.window());
      Counters counters = stored;
      if (counters.window != window) {
        counters = new Counters(counters.last, 0, counters.estimate(), window);
      }
      if (counters.last - now > 2 * window) {
        counters = new Counters(now, 0, counters.estimate(), window);
        if (take) {
          stored = counters;
        }
      }
      counters = counters.at(Math.max(now, counters.last));
      boolean allowed = permits <= policy.limit() - counters.estimate();
      if (allowed) {
        counters =
            new Counters(
                counters.last, counters.previous, counters.current + permits, counters.window);
        if (take) {
          stored = counters;
        }
      }
      long lag = counters.last - now;
      long estimate = counters.estimate();
      return decision(
          allowed,
          permits,
          policy.limit(),
          Math.max(0, policy.limit() - estimate),
          allowed || permits > policy.limit() ? 0 : counters.micros(policy.limit() - permits) + lag,
          estimate == 0 ? 0 : counters.micros(0) + lag);
    }

    /** The least number up to a greatest one from which on something holds. */
    private static long first(long greatest, LongPredicate holds) {
      long low = 0;
      long high = greatest;
      while (low < high) {
        long middle = (low + high) / 2;
        if (holds.test(middle)) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    @Override
    public void reset() {
      stored = NEW;
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
