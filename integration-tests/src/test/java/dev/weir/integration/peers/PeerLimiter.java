package dev.weir.integration.peers;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * A peer behind the interface of this library.
 *
 * <p>What no peer knows is decided here: that a key is not empty. All else is left to the peer.
 */
abstract class PeerLimiter implements RateLimiter {

  private final Policy policy;

  PeerLimiter(Policy policy) {
    this.policy = policy;
  }

  /** The peer's decision on a key that is not empty. */
  abstract Decision decide(String key, long permits);

  /** The decision of a peer that only says yes or no: the other numbers say nothing. */
  final Decision answer(boolean allowed) {
    return allowed
        ? Decision.admitted(policy.limit(), 0, Duration.ZERO)
        : Decision.denied(policy.limit(), 0, Duration.ofNanos(1), Duration.ZERO);
  }

  @Override
  public final Policy policy() {
    return policy;
  }

  @Override
  public final Decision tryAcquire(String key, long permits) {
    return decide(checked(key), permits);
  }

  @Override
  public final CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public Decision peek(String key, long permits) {
    throw new UnsupportedOperationException("the peer offers no peek");
  }

  @Override
  public void reset(String key) {
    throw new UnsupportedOperationException("the peer offers no reset");
  }

  static String checked(String key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key is empty");
    }
    return key;
  }

  /** As near to the permits as the peer's {@code int} comes. */
  static int clamped(long permits) {
    return (int) Math.max(Integer.MIN_VALUE, Math.min(permits, Integer.MAX_VALUE));
  }

  static long micros(InstantSource clock) {
    return Micros.of(clock.instant());
  }

  static long nanos(InstantSource clock) {
    return Math.multiplyExact(micros(clock), 1_000L);
  }

  /** A source of time for a limiter that was made at another time than now. */
  static LongSupplier madeAt(long time, LongSupplier now) {
    AtomicBoolean made = new AtomicBoolean();
    return () -> made.getAndSet(true) ? now.getAsLong() : time;
  }
}
