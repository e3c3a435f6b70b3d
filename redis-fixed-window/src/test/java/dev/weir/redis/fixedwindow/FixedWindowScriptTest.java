package dev.weir.redis.fixedwindow;

import dev.weir.FixedWindowPolicy;
import dev.weir.redis.testing.ScriptModelProperties;
import dev.weir.redis.testing.ScriptRunner;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

class FixedWindowScriptTest extends ScriptModelProperties<FixedWindowPolicy> {

  @Override
  protected ScriptRunner load() {
    return new ScriptRunner(RedisFixedWindow.class, "fixed_window.lua");
  }

  @Override
  protected Arbitrary<FixedWindowPolicy> policies() {
    return Combinators.combine(magnitudes(1, MAX_PERMITS), magnitudes(MIN_WINDOW, MAX_WINDOW))
        .as(
            (limit, window) ->
                new FixedWindowPolicy(limit, Duration.of(window, ChronoUnit.MICROS)));
  }

  @Override
  protected long[] numbers(FixedWindowPolicy policy) {
    return new long[] {policy.limit(), policy.window().toNanos() / 1_000};
  }

  @Override
  protected Model<FixedWindowPolicy> newModel() {
    return new FixedWindowModel();
  }

  private static final class FixedWindowModel implements Model<FixedWindowPolicy> {

    private long last;
    private long count; // 0: no state

    @Override
    public long[] acquire(FixedWindowPolicy policy, long now, long permits) {
      return decide(policy, now, permits, true);
    }

    @Override
    public long[] peek(FixedWindowPolicy policy, long now, long permits) {
      return decide(policy, now, permits, false);
    }

    private long[] decide(FixedWindowPolicy policy, long now, long permits, boolean writes) {
      long window = policy.window().toNanos() / 1_000;
      long time = last;
      boolean rebased = count > 0 && last - now > window;
      if (rebased) {
        time = (now + window - 1) / window * window;
      }
      long at = count == 0 ? now : Math.max(now, time);
      long used = count > 0 && time / window == at / window ? count : 0;
      long end = at / window * window + window;
      boolean allowed = permits <= policy.limit() - used;
      long after = allowed ? used + permits : used;
      if (writes && (allowed || rebased)) {
        last = at;
        count = after;
      }
      return new long[] {
        allowed ? 1 : 0,
        Math.max(0, policy.limit() - after),
        allowed ? 0 : permits > policy.limit() ? -1 : end - now,
        after > 0 ? end - now : 0
      };
    }
  }
}
