package dev.weir.conformance.internal;

import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The token bucket by its definition. */
public final class TokenBucketReference extends ReferenceLimiter<TokenBucketReference.State> {

  private final TokenBucketPolicy policy;

  /** Creates a limiter on states that others may share. */
  public TokenBucketReference(
      TokenBucketPolicy policy, InstantSource clock, Map<String, State> states) {
    super(clock, states);
    this.policy = policy;
  }

  /** What the bucket held at a time, in parts of which {@code scale} make a token. */
  public record State(BigInteger parts, BigInteger scale, long last) {}

  @Override
  public TokenBucketPolicy policy() {
    return policy;
  }

  @Override
  Outcome<State> decide(@Nullable State stored, long permits, long now) {
    BigInteger scale = scale();
    BigInteger full = big(policy.capacity()).multiply(scale);
    State state =
        stored == null
            ? new State(full, scale, now)
            : new State(
                stored.parts().multiply(scale).divide(stored.scale()).min(full),
                scale,
                stored.last());
    boolean rebased = state.last() - now > Micros.of(policy.life());
    if (rebased) {
      state = new State(state.parts(), scale, now);
    }
    long at = Math.max(now, state.last());
    long lag = at - now;
    BigInteger parts =
        state.parts().add(big(at - state.last()).multiply(big(policy.refillTokens()))).min(full);
    BigInteger asked = big(permits).multiply(scale);
    boolean allowed = asked.compareTo(parts) <= 0;
    BigInteger left = allowed ? parts.subtract(asked) : parts;
    return new Outcome<>(
        decision(
            allowed,
            left.divide(scale).longValueExact(),
            permits > policy.capacity()
                ? OptionalLong.empty()
                : OptionalLong.of(wait(asked.subtract(left)) + lag),
            left.equals(full) ? 0 : wait(full.subtract(left)) + lag),
        allowed ? new State(left, scale, at) : rebased && stored != null ? state : stored);
  }

  @Override
  public TokenBucketReference withLimit(long limit) {
    return new TokenBucketReference(
        TokenBucketPolicy.of(limit, policy.refillTokens(), policy.refillPeriod()), clock, states);
  }

  @Override
  long meaninglessFrom(State state) {
    BigInteger full = big(policy.capacity()).multiply(state.scale());
    return state.last() + wait(full.subtract(state.parts()));
  }

  private BigInteger scale() {
    return Micros.exact(policy.refillPeriod());
  }

  /** The time in which so many parts are gained, rounded up. */
  private long wait(BigInteger parts) {
    BigInteger refill = big(policy.refillTokens());
    return parts.add(refill).subtract(BigInteger.ONE).divide(refill).longValueExact();
  }
}
