package dev.weir.redis.slidingwindow;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.redis.testing.ScriptModelProperties;
import dev.weir.redis.testing.ScriptRunner;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongPredicate;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

class SlidingWindowCounterScriptTest extends ScriptModelProperties<SlidingWindowCounterPolicy> {

  @Override
  protected ScriptRunner load() {
    return new ScriptRunner(RedisSlidingWindowCounter.class, "sliding_window_counter.lua");
  }

  @Override
  protected Arbitrary<SlidingWindowCounterPolicy> policies() {
    return Combinators.combine(magnitudes(1, MAX_PERMITS), magnitudes(MIN_WINDOW, MAX_WINDOW))
        .as(
            (limit, window) ->
                new SlidingWindowCounterPolicy(limit, Duration.of(window, ChronoUnit.MICROS)));
  }

  @Override
  protected long[] numbers(SlidingWindowCounterPolicy policy) {
    return new long[] {policy.limit(), policy.window().toNanos() / 1_000};
  }

  @Override
  protected Model<SlidingWindowCounterPolicy> newModel() {
    return new SlidingWindowCounterModel();
  }

  /** The waits are found by trying out times: what is free only grows while nobody asks. */
  private static final class SlidingWindowCounterModel
      implements Model<SlidingWindowCounterPolicy> {

    /** What was admitted in the window of the last admission, and in the one before it. */
    private record Counters(long last, long previous, long current, long window) {

      Counters at(long time) {
        long windows = time / window - last / window;
        return new Counters(
            time,
            windows == 0 ? previous : windows == 1 ? current : 0,
            windows == 0 ? current : 0,
            window);
      }

      /** All of the current count, and the part of the previous one, rounded up. */
      long used() {
        BigInteger[] weighted =
            BigInteger.valueOf(previous)
                .multiply(BigInteger.valueOf(window - last % window))
                .divideAndRemainder(BigInteger.valueOf(window));
        return current + weighted[0].longValueExact() + weighted[1].signum();
      }

      Counters with(long permits) {
        return new Counters(last, previous, current + permits, window);
      }

      long timeUntil(LongPredicate used) {
        long low = 0;
        long high = 2 * window;
        while (low < high) {
          long middle = (low + high) / 2;
          if (used.test(at(last + middle).used())) {
            high = middle;
          } else {
            low = middle + 1;
          }
        }
        return low;
      }
    }

    private Counters stored = new Counters(0, 0, 0, 1);

    @Override
    public long[] acquire(SlidingWindowCounterPolicy policy, long now, long permits) {
      return decide(policy, now, permits, true);
    }

    @Override
    public long[] peek(SlidingWindowCounterPolicy policy, long now, long permits) {
      return decide(policy, now, permits, false);
    }

    private long[] decide(
        SlidingWindowCounterPolicy policy, long now, long permits, boolean writes) {
      long window = policy.window().toNanos() / 1_000;
      long limit = policy.limit();
      Counters counters = stored;
      boolean rebased = counters.last - now > 2 * window;
      if (rebased || counters.window != window) {
        counters = new Counters(rebased ? now : counters.last, 0, counters.used(), window);
      }
      counters = counters.at(Math.max(now, counters.last));
      boolean allowed = permits <= limit - counters.used();
      counters = counters.with(allowed ? permits : 0);
      if (writes && (allowed || rebased)) {
        stored = counters;
      }
      long lag = counters.last - now;
      return new long[] {
        allowed ? 1 : 0,
        Math.max(0, limit - counters.used()),
        allowed
            ? 0
            : permits > limit ? -1 : counters.timeUntil(used -> permits <= limit - used) + lag,
        counters.used() == 0 ? 0 : counters.timeUntil(used -> used == 0) + lag
      };
    }
  }
}
