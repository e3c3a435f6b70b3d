package dev.weir.redis.slidingwindow;

import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.ScriptModelProperties;
import dev.weir.redis.testing.ScriptRunner;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

class SlidingWindowScriptTest extends ScriptModelProperties<SlidingWindowPolicy> {

  @Override
  protected ScriptRunner load() {
    return new ScriptRunner(RedisSlidingWindow.class, "sliding_window.lua");
  }

  @Override
  protected Arbitrary<SlidingWindowPolicy> policies() {
    return Combinators.combine(magnitudes(1, MAX_PERMITS), magnitudes(MIN_WINDOW, MAX_WINDOW))
        .as(
            (limit, window) ->
                new SlidingWindowPolicy(limit, Duration.of(window, ChronoUnit.MICROS)));
  }

  @Override
  protected long[] numbers(SlidingWindowPolicy policy) {
    return new long[] {policy.limit(), policy.window().toNanos() / 1_000};
  }

  @Override
  protected Model<SlidingWindowPolicy> newModel() {
    return new SlidingWindowModel();
  }

  /** The running total comes round to 0 early in every trace. */
  static class CloseToTheModulus extends SlidingWindowScriptTest {

    @Override
    protected void prepare(RespClient redis, String key) {
      redis.call(
          "ZADD", key, "0", String.valueOf((1L << 52) - 1 - Math.floorMod(key.hashCode(), 3)));
    }
  }

  private static final class SlidingWindowModel implements Model<SlidingWindowPolicy> {

    private NavigableMap<Long, Long> log = new TreeMap<>();

    @Override
    public long[] acquire(SlidingWindowPolicy policy, long now, long permits) {
      return decide(policy, now, permits, true);
    }

    @Override
    public long[] peek(SlidingWindowPolicy policy, long now, long permits) {
      return decide(policy, now, permits, false);
    }

    private long[] decide(SlidingWindowPolicy policy, long now, long permits, boolean writes) {
      long window = policy.window().toNanos() / 1_000;
      NavigableMap<Long, Long> entries = new TreeMap<>(log);
      long at = now;
      boolean rebased = false;
      if (!log.isEmpty()) {
        long last = log.lastKey();
        rebased = last - now > window;
        if (rebased) {
          long counted = sum(log.tailMap(last - window, false));
          entries.clear();
          entries.put(now, counted);
        } else {
          at = Math.max(now, last);
        }
      }
      NavigableMap<Long, Long> live = entries.tailMap(at - window, false);
      long used = sum(live);
      boolean allowed = permits <= policy.limit() - used;
      long retry = 0;
      if (!allowed) {
        retry =
            permits > policy.limit() ? -1 : firstFit(live, policy.limit() - permits) + window - now;
      } else {
        if (!rebased) {
          trim(entries, at - window);
        }
        entries.merge(at, permits, Long::sum);
      }
      live = entries.tailMap(at - window, false);
      if (writes && (allowed || rebased)) {
        log = entries;
      }
      return new long[] {
        allowed ? 1 : 0,
        Math.max(0, policy.limit() - sum(live)),
        retry,
        live.isEmpty() ? 0 : live.lastKey() + window - now
      };
    }

    /** A longer window, of another version of the policy, does not get these back. */
    private static void trim(NavigableMap<Long, Long> entries, long expired) {
      for (int i = 0; i < 16 && !entries.isEmpty() && entries.firstKey() <= expired; i++) {
        entries.pollFirstEntry();
      }
    }

    private static long firstFit(NavigableMap<Long, Long> live, long most) {
      long left = sum(live);
      for (var entry : live.entrySet()) {
        left -= entry.getValue();
        if (left <= most) {
          return entry.getKey();
        }
      }
      throw new AssertionError("nothing is left, and yet it does not fit");
    }

    private static long sum(NavigableMap<Long, Long> entries) {
      return entries.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
