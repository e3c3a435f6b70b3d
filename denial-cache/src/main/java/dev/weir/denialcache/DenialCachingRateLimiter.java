package dev.weir.denialcache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import dev.weir.internal.Stages;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A denial-caching rate limiter answers like the limiter it decorates and remembers its denials: a
 * later request for the same key and the same number of permits is denied without asking, until the
 * wait that the limiter told is over.
 *
 * <p>The wait is counted from before the limiter was asked, so the cached denial ends no later than
 * the limiter's own. Of each key the latest denial is remembered, of at most {@link
 * Builder#maxKeys(int)} keys; a request whose denial is not remembered is decided by the limiter.
 * Failures are not remembered, nor are the answers of {@code peek}.
 *
 * <p><b>What is exact.</b> Whether a request is admitted or denied is what the limiter would say,
 * also where other instances and other JVMs use the key, for requests that are admitted meanwhile
 * only lengthen the wait. A cached denial does not see three things: a reset of the key that is not
 * made through this object, a policy with a higher limit on the same state, and a clock of the
 * store that steps forward. Each may admit a request that this limiter denies, for at most the
 * {@code retryAfter} of the denial that is cached.
 *
 * <p><b>What may be old.</b> {@link Decision#remaining()} and {@link Decision#limit()} are those of
 * the cached denial; where it was for one permit, nothing remains as long as it holds. {@link
 * Decision#retryAfter()} and {@link Decision#resetAfter()} are what is left of the waits, counted
 * from after the limiter answered and rounded up to microseconds, so they are not too short; where
 * other requests of the key were admitted meanwhile, by somebody else or while the denial was under
 * way, they do not know it. A request that is admitted here ends the cached denial of its key. A
 * request for more than the limit is answered with {@link Decision#NEVER} from the cache until
 * {@code resetAfter} is over.
 *
 * <p>{@code peek} is answered like {@code tryAcquire}, from the cache too. {@code reset} ends the
 * cached denial of the key, and a denial that was under way meanwhile is not remembered.
 *
 * <p>A request that is answered from the cache does not block, and no store need be there; others
 * block when the decorated limiter does. Safe for use by any number of threads. It has no threads
 * of its own: what is over is released while later requests are made.
 */
public final class DenialCachingRateLimiter implements RateLimiter {

  /** The most keys whose denials are remembered, if nothing else is said. */
  public static final int DEFAULT_MAX_KEYS = 10_000;

  /** Limiters read whole microseconds: one may have decided up to so much before it was asked. */
  private static final long RESOLUTION_NANOS = 1_000;

  /** No policy of this library has a wait so long; longer ones would overflow. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(100 * 366);

  /** A power of two. Keys that share a stripe may only cost each other an entry. */
  private static final int RESET_STRIPES = 256;

  private final RateLimiter limiter;
  private final LongSupplier ticker;
  private final Cache<String, Denial> denials;

  /** The last reading of a clock that may step back, or null where it cannot. */
  private final @Nullable AtomicLong lastReading;

  /** How often a key of each stripe was reset: what began before the last one is not stored. */
  private final AtomicIntegerArray resets = new AtomicIntegerArray(RESET_STRIPES);

  private DenialCachingRateLimiter(Builder builder) {
    limiter = builder.limiter;
    ticker = builder.ticker;
    lastReading = builder.stepsBack ? new AtomicLong(Long.MIN_VALUE) : null;
    denials =
        Caffeine.newBuilder()
            .maximumSize(builder.maxKeys)
            // Housekeeping alone: whether a denial still holds is for the denial to say.
            .expireAfter(
                Expiry.<String, Denial>writing(
                    (key, denial) -> Duration.ofNanos(denial.holds() - denial.latency())))
            .ticker(ticker::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns a limiter that remembers the denials of at most {@value #DEFAULT_MAX_KEYS} keys.
   *
   * @param limiter what decides
   * @return a new decorator
   * @throws NullPointerException if {@code limiter} is null
   */
  public static DenialCachingRateLimiter of(RateLimiter limiter) {
    return builder(limiter).build();
  }

  /**
   * Returns a builder with the defaults.
   *
   * @param limiter what decides
   * @return a new builder
   * @throws NullPointerException if {@code limiter} is null
   */
  public static Builder builder(RateLimiter limiter) {
    return new Builder(limiter);
  }

  @Override
  public Policy policy() {
    return limiter.policy();
  }

  /**
   * Returns how many keys have a remembered denial, after releasing those that are over; the last
   * seconds' may still be among them. Does not block.
   *
   * @return the number of keys, at most what {@link Builder#maxKeys(int)} says
   */
  public long cachedKeys() {
    denials.cleanUp();
    return denials.estimatedSize();
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    Bounds.checkRequest(key, permits);
    long start = now();
    Decision cached = Denial.answer(denials.getIfPresent(key), permits, start);
    if (cached != null) {
      return cached;
    }
    int resetsBefore = resets.get(stripe(key));
    Decision decision = limiter.tryAcquire(key, permits);
    remember(key, permits, decision, start, resetsBefore);
    return decision;
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    Bounds.checkRequest(key, permits);
    long start = now();
    Decision cached = Denial.answer(denials.getIfPresent(key), permits, start);
    if (cached != null) {
      return CompletableFuture.completedFuture(cached);
    }
    int resetsBefore = resets.get(stripe(key));
    return Stages.unwrapped(
        Stages.ask(limiter, key, permits)
            .whenComplete(
                (decision, failure) -> {
                  if (failure == null) {
                    remember(key, permits, decision, start, resetsBefore);
                  }
                }));
  }

  @Override
  public Decision peek(String key, long permits) {
    Bounds.checkRequest(key, permits);
    long now = now();
    Decision cached = Denial.answer(denials.getIfPresent(key), permits, now);
    return cached == null ? limiter.peek(key, permits) : cached;
  }

  @Override
  public void reset(String key) {
    Bounds.checkKey(key);
    try {
      limiter.reset(key);
    } finally {
      // In this order: a denial is either stored before the removal, or finds the count changed.
      resets.incrementAndGet(stripe(key));
      denials.invalidate(key);
    }
  }

  private void remember(String key, long permits, Decision decision, long start, int resetsBefore) {
    if (decision.allowed()) {
      // A denial from before it knows too short a wait.
      denials.invalidate(key);
      return;
    }
    Denial denial = Denial.of(permits, decision, start, now());
    if (denial != null) {
      denials
          .asMap()
          .compute(key, (same, old) -> resets.get(stripe(key)) == resetsBefore ? denial : old);
    }
  }

  /**
   * Reads the clock. Where it stepped back, the limiter may have released what it knew of a key at
   * a time that is in the future again, so nothing that is cached is sure any more.
   */
  private long now() {
    long now = ticker.getAsLong();
    if (lastReading != null && lastReading.getAndSet(now) > now) {
      denials.invalidateAll();
    }
    return now;
  }

  private static int stripe(String key) {
    return key.hashCode() & (RESET_STRIPES - 1);
  }

  /**
   * What the limiter said, with times in nanoseconds.
   *
   * @param start the clock before the limiter was asked
   * @param latency what passed from then until it had answered
   * @param holds what passes from then until the verdict is no longer sure
   */
  private record Denial(long permits, Decision decision, long start, long latency, long holds) {

    /** Returns null where there is nothing to gain, or the clock stepped back meanwhile. */
    static @Nullable Denial of(long permits, Decision decision, long start, long end) {
      Duration wait = isNever(decision) ? decision.resetAfter() : decision.retryAfter();
      if (wait.compareTo(LONGEST_WAIT) > 0 || decision.resetAfter().compareTo(LONGEST_WAIT) > 0) {
        return null;
      }
      long latency = end - start;
      long holds = wait.toNanos() - RESOLUTION_NANOS;
      return latency >= 0 && latency < holds
          ? new Denial(permits, decision, start, latency, holds)
          : null;
    }

    /** Returns the denial as it reads now, or null if it does not answer the request. */
    static @Nullable Decision answer(@Nullable Denial denial, long permits, long now) {
      return denial == null ? null : denial.answer(permits, now);
    }

    private @Nullable Decision answer(long permits, long now) {
      long age = now - start;
      if (permits != this.permits || age < 0 || age >= holds) {
        return null;
      }
      boolean never = isNever(decision);
      long retryMicros = never ? 0 : microsLeft(decision.retryAfter(), age);
      long resetMicros = Math.max(retryMicros, microsLeft(decision.resetAfter(), age));
      return Decision.denied(
          decision.limit(),
          decision.remaining(),
          never ? Decision.NEVER : Micros.toDuration(retryMicros),
          Micros.toDuration(resetMicros));
    }

    /** What is left of a wait that began when the limiter had answered, rounded up. */
    private long microsLeft(Duration wait, long age) {
      return -Math.floorDiv(age - latency - wait.toNanos(), 1_000L);
    }

    private static boolean isNever(Decision decision) {
      return decision.retryAfter().equals(Decision.NEVER);
    }
  }

  /** A builder of {@link DenialCachingRateLimiter}, not safe for use by several threads at once. */
  public static final class Builder {

    private final RateLimiter limiter;
    private int maxKeys = DEFAULT_MAX_KEYS;
    private LongSupplier ticker = System::nanoTime;
    private boolean stepsBack;

    private Builder(RateLimiter limiter) {
      this.limiter = Objects.requireNonNull(limiter, "limiter");
    }

    /**
     * Sets how many keys may have a remembered denial. Where more are denied, those that are asked
     * for most stay; the others are decided by the limiter.
     *
     * @param keys the number, at least 1
     * @return this builder
     * @throws IllegalArgumentException if {@code keys} is below 1
     */
    public Builder maxKeys(int keys) {
      if (keys < 1) {
        throw new IllegalArgumentException("maxKeys is " + keys + ", must be at least 1");
      }
      maxKeys = keys;
      return this;
    }

    /**
     * Sets the clock, for tests and replays whose limiter has a clock of its own.
     *
     * <p>Without one, time is that of {@link System#nanoTime()}, which neither steps back nor
     * follows corrections of the wall clock. Where a clock given here steps back, all that is
     * cached is forgotten.
     *
     * @param clock the clock, from 1970 to the year 2255; a limiter that finds it outside throws
     *     {@link IllegalArgumentException}
     * @return this builder
     * @throws NullPointerException if {@code clock} is null
     */
    public Builder clock(InstantSource clock) {
      Objects.requireNonNull(clock, "clock");
      stepsBack = true;
      return ticker(() -> Micros.of(clock.instant()) * 1_000);
    }

    /** Sets where the time comes from, in nanoseconds since any time that may overflow. */
    Builder ticker(LongSupplier ticker) {
      this.ticker = ticker;
      return this;
    }

    /**
     * Builds the limiter, with nothing remembered.
     *
     * @return a new limiter
     */
    public DenialCachingRateLimiter build() {
      return new DenialCachingRateLimiter(this);
    }
  }
}
