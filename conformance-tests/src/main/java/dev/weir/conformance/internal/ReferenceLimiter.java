package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A reference limiter decides by the definition of its algorithm: slow, obvious and exact, in
 * arithmetic without bounds, with state that is never dropped.
 *
 * @param <S> the state of a key
 */
public abstract class ReferenceLimiter<S> implements RateLimiter {

  final InstantSource clock;
  final Map<String, S> states;

  ReferenceLimiter(InstantSource clock, Map<String, S> states) {
    this.clock = clock;
    this.states = states;
  }

  /** What is decided, and the state afterwards. */
  record Outcome<S>(Decision decision, @Nullable S state) {}

  /** Decides at a time; the state is what is stored, null where nothing is. */
  abstract Outcome<S> decide(@Nullable S state, long permits, long now);

  /** When the state has lost its meaning. */
  abstract long meaninglessFrom(S state);

  /** A limiter with another limit on the same states. */
  public abstract ReferenceLimiter<S> withLimit(long limit);

  @Override
  public final Decision tryAcquire(String key, long permits) {
    check(key, permits);
    synchronized (states) {
      Outcome<S> outcome = decide(states.get(key), permits, now());
      if (outcome.state() != null) {
        states.put(key, outcome.state());
      }
      return outcome.decision();
    }
  }

  @Override
  public final Decision peek(String key, long permits) {
    check(key, permits);
    synchronized (states) {
      return decide(states.get(key), permits, now()).decision();
    }
  }

  @Override
  public final CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public final void reset(String key) {
    check(key, 1);
    synchronized (states) {
      states.remove(key);
    }
  }

  /** When what is stored of a key has lost its meaning, if anything is stored. */
  public final OptionalLong meaninglessFrom(String key) {
    synchronized (states) {
      S state = states.get(key);
      return state == null ? OptionalLong.empty() : OptionalLong.of(meaninglessFrom(state));
    }
  }

  private long now() {
    return Micros.of(clock.instant());
  }

  private static void check(String key, long permits) {
    if (key.isEmpty() || permits < 1) {
      throw new IllegalArgumentException(key.isEmpty() ? "key is empty" : "permits " + permits);
    }
  }

  final Decision decision(
      boolean allowed, long remaining, OptionalLong retryMicros, long resetMicros) {
    return new Decision(
        allowed,
        policy().limit(),
        remaining,
        allowed
            ? Duration.ZERO
            : retryMicros.isPresent() ? Micros.toDuration(retryMicros.getAsLong()) : Decision.NEVER,
        Micros.toDuration(resetMicros));
  }

  static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
