package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.internal.Bounds;
import dev.weir.internal.ListenerGuard;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the limiters in memory have in common: all but the state and the decision on it.
 *
 * @param <P> the policy
 * @param <S> the state
 */
abstract class InMemoryLimiter<P extends Policy, S extends State<S>> implements RateLimiter {

  /** The wait of a request that can never be admitted, in microseconds. */
  static final long NEVER = -1;

  final P policy;
  final long limit;

  private final String algorithm;
  private final String namespace;
  private final int maxKeys;
  private final OverflowListener overflowListener;
  private final ListenerGuard overflowGuard;
  private final LongSupplier clock;
  private final boolean steady;
  private final Function<String, S> newState;
  private final KeyTable<S> table;

  /** A state that remembers nothing, and is only read. */
  private final S blank;

  InMemoryLimiter(
      String algorithm, P policy, InMemoryOptions options, Function<String, S> newState) {
    this(algorithm, policy, policy.life(), options, newState);
  }

  /**
   * Creates a limiter.
   *
   * @param retention how long after the last admission a state may mean something
   */
  InMemoryLimiter(
      String algorithm,
      P policy,
      Duration retention,
      InMemoryOptions options,
      Function<String, S> newState) {
    this.policy = policy;
    this.limit = policy.limit();
    this.algorithm = algorithm;
    this.namespace = options.namespace;
    this.maxKeys = options.maxKeys;
    this.overflowListener = options.overflowListener;
    this.overflowGuard = new ListenerGuard(overflowListener);
    this.clock = options.nowMicros();
    this.steady = options.hasSteadyClock();
    this.newState = newState;
    this.table = options.storeOrNew().table(algorithm, namespace, newState);
    this.blank = newState.apply("");
    table.attach(policy, retention);
  }

  /**
   * Decides on a state. The state is not released; the caller holds its monitor, or nobody else
   * sees it.
   *
   * @param take whether to write what {@code tryAcquire} writes; otherwise the state is only read
   */
  abstract Decision decide(S state, long permits, long now, boolean take);

  /** Makes a new state remember at least what another one remembers. */
  abstract void inherit(S heir, S from);

  /** Whether a used state is as new under this limiter's policy before its retention is over. */
  boolean hasRecovered(S state, long now) {
    return false;
  }

  /**
   * {@inheritDoc}
   *
   * @return the policy
   */
  @Override
  public final P policy() {
    return policy;
  }

  @Override
  public final Decision tryAcquire(String key, long permits) {
    return ask(key, permits, true);
  }

  /** {@inheritDoc} The stage is complete when this method returns. */
  @Override
  public final CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedStage(tryAcquire(key, permits));
  }

  @Override
  public final Decision peek(String key, long permits) {
    return ask(key, permits, false);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The state that new keys share once the ceiling on keys is reached is not reset.
   */
  @Override
  public final void reset(String key) {
    Bounds.checkKey(key);
    S state = table.get(key);
    if (state != null) {
      synchronized (state) {
        if (!state.isReleased()) {
          state.clear();
        }
      }
    }
  }

  /**
   * Returns the number of keys that have a state, of all limiters that share it with this one.
   *
   * @return the number of keys, at most the ceiling
   */
  public final long keys() {
    return table.size();
  }

  /**
   * Releases the state of every key that is as new, at once. Limiters do so by and by while they
   * are used, so this is only for one that nobody asks any more; it takes time in proportion to
   * {@link #keys()}, and other threads go on meanwhile.
   *
   * @return how many keys were released
   */
  public final long releaseIdleKeys() {
    return table.sweepAll(clock.getAsLong(), this);
  }

  private Decision ask(String key, long permits, boolean take) {
    Bounds.checkRequest(key, permits);
    while (true) {
      S state = table.get(key);
      if (state == null) {
        Decision decision = askWithoutState(key, permits, take);
        if (decision != null) {
          return decision;
        }
        continue;
      }
      // Before the lock, so that nobody waits for it.
      long now = steady ? clock.getAsLong() : 0;
      Decision decision;
      synchronized (state) {
        if (state.isReleased()) {
          continue;
        }
        now = timeUnderLock(now);
        if (now < state.last) {
          // So on a steady clock no admission of a key is earlier than the one before it.
          now = clock.getAsLong();
        }
        decision = decide(state, permits, now, take);
      }
      if (take) {
        sweepAfter(decision, now);
      }
      return decision;
    }
  }

  /** Decides on a key that had no state, or returns null if it has got one. */
  private @Nullable Decision askWithoutState(String key, long permits, boolean take) {
    if (!take || permits > limit) {
      return peekWithoutState(key, permits);
    }
    return table.reserve(maxKeys) ? acquireNew(key, permits) : acquireShared(key, permits);
  }

  /** Decides on a key's new state, or returns null if another thread was faster. */
  private @Nullable Decision acquireNew(String key, long permits) {
    S state = newState.apply(key);
    long now;
    Decision decision;
    synchronized (state) {
      if (!table.add(state)) {
        return null;
      }
      if (table.overflowing) {
        inheritOverflow(state);
      }
      now = clock.getAsLong();
      decision = decide(state, permits, now, true);
    }
    sweepAfter(decision, now);
    return decision;
  }

  /**
   * Decides on the state that keys without one share, or returns null if the key has got one.
   *
   * <p>The request is one that a state without use admits, so the first to share is admitted.
   */
  private @Nullable Decision acquireShared(String key, long permits) {
    S overflow = table.overflow;
    long now;
    boolean begins;
    Decision decision;
    synchronized (overflow) {
      table.overflowing = true;
      if (table.get(key) != null) {
        return null;
      }
      now = clock.getAsLong();
      begins = table.isAsNew(overflow, now, this);
      if (begins) {
        overflow.clear();
      }
      decision = decide(overflow, permits, now, true);
    }
    table.sweepSome(now, this);
    if (begins) {
      overflowGuard.call(() -> overflowListener.onOverflow(algorithm, namespace, maxKeys));
    }
    return decision;
  }

  /** Answers for a key without a state, or returns null if the key has got one. */
  private @Nullable Decision peekWithoutState(String key, long permits) {
    if (table.overflowing) {
      return peekShared(key, permits);
    }
    long now = clock.getAsLong();
    return table.get(key) == null ? decide(blank, permits, now, false) : null;
  }

  /** The same where the overflow state may remember something. */
  private @Nullable Decision peekShared(String key, long permits) {
    S overflow = table.overflow;
    synchronized (overflow) {
      long now = clock.getAsLong();
      if (table.get(key) != null) {
        return null;
      }
      S state;
      if (table.isAsNew(overflow, now, this)) {
        state = blank;
      } else if (table.hasRoom(maxKeys)) {
        state = newState.apply(key);
        inherit(state, overflow);
      } else {
        state = overflow;
      }
      return decide(state, permits, now, false);
    }
  }

  /**
   * Charges a new key for what it may have taken while it shared the overflow state: for all of it.
   * Otherwise it could take its limit twice.
   */
  private void inheritOverflow(S state) {
    synchronized (table.overflow) {
      if (table.isAsNew(table.overflow, clock.getAsLong(), this)) {
        table.overflow.clear();
        table.overflowing = false;
      } else {
        inherit(state, table.overflow);
      }
    }
  }

  /**
   * Returns the time by which to judge a state whose monitor the caller holds: of a clock that may
   * step back a reading from before could be from before a step that the state has followed.
   */
  final long timeUnderLock(long readBefore) {
    return steady ? readBefore : clock.getAsLong();
  }

  /** A denial changes nothing, so it does not sweep either. */
  private void sweepAfter(Decision decision, long now) {
    if (decision.allowed()) {
      table.sweepIfDue(now, this);
    }
  }

  /** Returns the decision of these waits, in microseconds. */
  final Decision decision(boolean allowed, long remaining, long retryAfter, long resetAfter) {
    return new Decision(
        allowed,
        limit,
        remaining,
        retryAfter == NEVER ? Decision.NEVER : Micros.toDuration(retryAfter),
        Micros.toDuration(resetAfter));
  }
}
