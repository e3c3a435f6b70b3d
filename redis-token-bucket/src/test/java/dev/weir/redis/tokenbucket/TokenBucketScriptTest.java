package dev.weir.redis.tokenbucket;

import dev.weir.TokenBucketPolicy;
import dev.weir.redis.testing.ScriptModelProperties;
import dev.weir.redis.testing.ScriptRunner;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

class TokenBucketScriptTest extends ScriptModelProperties<TokenBucketPolicy> {

  private static final BigInteger MAX_FILL = BigInteger.valueOf(3_660L * 86_400_000_000L);

  @Override
  protected ScriptRunner load() {
    return new ScriptRunner(RedisTokenBucket.class, "token_bucket.lua");
  }

  @Override
  protected Arbitrary<TokenBucketPolicy> policies() {
    return Combinators.combine(
            magnitudes(1, MAX_PERMITS),
            magnitudes(1, MAX_PERMITS),
            magnitudes(MIN_WINDOW, MAX_WINDOW))
        .as(
            (capacity, refill, period) -> {
              BigInteger most =
                  MAX_FILL.multiply(BigInteger.valueOf(refill)).divide(BigInteger.valueOf(period));
              return new TokenBucketPolicy(
                  most.min(BigInteger.valueOf(capacity)).longValueExact(),
                  refill,
                  Duration.of(period, ChronoUnit.MICROS));
            });
  }

  @Override
  protected long[] numbers(TokenBucketPolicy policy) {
    return new long[] {
      policy.capacity(), policy.refillTokens(), micros(policy.refillPeriod()), micros(policy.life())
    };
  }

  @Override
  protected Model<TokenBucketPolicy> newModel() {
    return new TokenBucketModel();
  }

  private static long micros(Duration duration) {
    return Math.multiplyExact(duration.toSeconds(), 1_000_000L) + duration.getNano() / 1_000;
  }

  private static final class TokenBucketModel implements Model<TokenBucketPolicy> {

    private boolean isNew = true;
    private BigInteger level = BigInteger.ZERO; // in parts of a token, as many as scale
    private BigInteger scale = BigInteger.ONE;
    private long last;

    @Override
    public long[] acquire(TokenBucketPolicy policy, long now, long permits) {
      return decide(policy, now, permits, true);
    }

    @Override
    public long[] peek(TokenBucketPolicy policy, long now, long permits) {
      return decide(policy, now, permits, false);
    }

    private long[] decide(TokenBucketPolicy policy, long now, long permits, boolean writes) {
      BigInteger period = BigInteger.valueOf(micros(policy.refillPeriod()));
      BigInteger refill = BigInteger.valueOf(policy.refillTokens());
      BigInteger full = BigInteger.valueOf(policy.capacity()).multiply(period);
      boolean rebased = !isNew && last - now > micros(policy.life());
      long at = isNew || rebased ? now : Math.max(now, last);
      BigInteger there = full;
      if (!isNew) {
        BigInteger gained =
            rebased ? BigInteger.ZERO : refill.multiply(BigInteger.valueOf(at - last));
        there = level.multiply(period).divide(scale).add(gained).min(full);
      }
      BigInteger asked = BigInteger.valueOf(permits).multiply(period);
      boolean allowed = asked.compareTo(there) <= 0;
      BigInteger left = allowed ? there.subtract(asked) : there;
      if (writes && (allowed || rebased)) {
        isNew = false;
        level = left;
        scale = period;
        last = at;
      }
      long lag = at - now;
      return new long[] {
        allowed ? 1 : 0,
        left.divide(period).longValueExact(),
        allowed ? 0 : permits > policy.capacity() ? -1 : ceil(asked.subtract(there), refill) + lag,
        left.equals(full) ? 0 : ceil(full.subtract(left), refill) + lag
      };
    }

    private static long ceil(BigInteger dividend, BigInteger divisor) {
      return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor).longValueExact();
    }
  }
}
