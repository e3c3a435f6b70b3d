package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Fixture;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A correct limiter in pieces, of which a mutant replaces one. */
abstract class Skeleton<P extends Policy, S> implements RateLimiter {

  static final long NEVER = -1;

  final P policy;
  final Fixture fixture;
  final TestStore store;
  final long limit;
  final long life;

  Skeleton(P policy, Fixture fixture) {
    this.policy = policy;
    this.fixture = fixture;
    this.store = fixture.shared(TestStore.class, TestStore::new);
    this.limit = policy.limit();
    this.life = micros(policy.life());
  }

  abstract Decision decide(String key, long permits, long now, boolean take);

  @Override
  public P policy() {
    return policy;
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    check(key, permits);
    return ask(() -> decide(key, permits, now(), true));
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    check(key, permits);
    return CompletableFuture.supplyAsync(() -> tryAcquire(key, permits), Runnable::run);
  }

  @Override
  public Decision peek(String key, long permits) {
    check(key, permits);
    return ask(() -> decide(key, permits, now(), false));
  }

  @Override
  public void reset(String key) {
    check(key, 1);
    ask(
        () -> {
          store.remove(name(key));
          return key;
        });
  }

  void check(String key, long permits) {
    Objects.requireNonNull(key, "key");
    if (key.isEmpty() || permits < 1) {
      throw new IllegalArgumentException(key.isEmpty() ? "key is empty" : "permits " + permits);
    }
  }

  /** One call to the store, atomic there. */
  <T> T ask(Supplier<T> work) {
    synchronized (store) {
      return store.call(work);
    }
  }

  long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, fixture.clock().instant());
  }

  String name(String key) {
    return fixture.namespace() + '\n' + key;
  }

  @SuppressWarnings("unchecked")
  @Nullable S get(String key, long now) {
    TestStore.Entry entry = store.get(name(key));
    return entry == null || entry.until() <= now ? null : (S) entry.state();
  }

  void put(String key, S state) {
    store.put(name(key), Objects.requireNonNull(state), until(state));
  }

  /** When the state has lost its meaning. */
  abstract long until(S state);

  Decision answer(boolean allowed, long remaining, long retryMicros, long resetMicros) {
    return new Decision(
        allowed,
        limit,
        remaining,
        allowed ? Duration.ZERO : retryMicros == NEVER ? Decision.NEVER : duration(retryMicros),
        duration(resetMicros));
  }

  static long micros(Duration duration) {
    return duration.dividedBy(Duration.of(1, ChronoUnit.MICROS));
  }

  static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
