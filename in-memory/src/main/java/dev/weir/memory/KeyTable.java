package dev.weir.memory;

import dev.weir.Policy;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one algorithm in one namespace of a store, each with its state.
 *
 * <p>A key comes by {@link #reserve} and {@link #add}, and goes when a sweep finds that its state
 * has lost its meaning. A pass of the sweep looks at every state once, a few in each call, so it
 * walks a list: an iterator of the map may have to cross millions of empty bins in one step.
 *
 * <p>Locks are taken in the order: sweep, state, overflow state.
 *
 * @param <S> the state of the algorithm
 */
final class KeyTable<S extends State<S>> {

  /** How many states a call looks at while a pass is under way. */
  static final int STEPS_PER_CALL = 4;

  /** What keys without a state share while there is no room for one. */
  final S overflow;

  /**
   * Whether the overflow state may remember something. Set before a key is looked for and decided
   * on the overflow state, read after a state was added: so of two threads that ask for one key,
   * one of which found no room and one of which did, at least one sees what the other does.
   */
  volatile boolean overflowing;

  private final ConcurrentHashMap<String, S> states = new ConcurrentHashMap<>();
  private final AtomicInteger size = new AtomicInteger();

  private final ReentrantLock sweep = new ReentrantLock();
  private final AtomicReference<@Nullable S> nextPass = new AtomicReference<>();
  private @Nullable S pass;
  private volatile boolean passing;
  private volatile long passEnded;

  private @Nullable Policy policy;
  private volatile boolean mixed;
  private volatile long longestRetention;

  KeyTable(Function<String, S> newState) {
    overflow = newState.apply("");
  }

  /**
   * Learns of a policy that is going to read the states, and of how long after the last admission
   * one may mean something to it; called before it does.
   */
  synchronized void attach(Policy another, Duration retention) {
    mixed = policy != null && (mixed || !policy.equals(another));
    policy = another;
    longestRetention = Math.max(longestRetention, Micros.of(retention));
  }

  int size() {
    return size.get();
  }

  boolean hasRoom(int maxKeys) {
    return size.get() < maxKeys;
  }

  @Nullable S get(String key) {
    return states.get(key);
  }

  /** Takes room for one state if there is some. */
  boolean reserve(int maxKeys) {
    int taken;
    do {
      taken = size.get();
      if (taken >= maxKeys) {
        return false;
      }
    } while (!size.compareAndSet(taken, taken + 1));
    return true;
  }

  /**
   * Adds a state that room is reserved for, unless its key has one: then the room is free again.
   */
  boolean add(S state) {
    if (states.putIfAbsent(state.key, state) != null) {
      size.decrementAndGet();
      return false;
    }
    sweepInNextPass(state);
    return true;
  }

  /**
   * Whether nothing depends on the state any more, whoever asks: after the longest retention, or,
   * where all limiters have one policy, as soon as this policy says so.
   */
  boolean isAsNew(S state, long now, InMemoryLimiter<?, S> asker) {
    return !state.isUsed()
        || now - state.last >= longestRetention
        || (!mixed && asker.hasRecovered(state, now));
  }

  /** Goes on with the pass that is under way or due, unless another thread does. */
  void sweepIfDue(long now, InMemoryLimiter<?, S> asker) {
    long idle = now - passEnded;
    if (passing || idle >= longestRetention || idle < 0) {
      sweepSome(now, asker);
    }
  }

  /** Goes on with the pass that is under way, or begins one, unless another thread does. */
  void sweepSome(long now, InMemoryLimiter<?, S> asker) {
    if (sweep.tryLock()) {
      try {
        steps(STEPS_PER_CALL, now, asker);
      } finally {
        sweep.unlock();
      }
    }
  }

  /** Looks at every state, and returns how many were released. */
  int sweepAll(long now, InMemoryLimiter<?, S> asker) {
    sweep.lock();
    try {
      return steps(Integer.MAX_VALUE, now, asker) + steps(Integer.MAX_VALUE, now, asker);
    } finally {
      sweep.unlock();
    }
  }

  /** Goes on with a pass, or begins one, to its end or for so many steps. */
  private int steps(int most, long now, InMemoryLimiter<?, S> asker) {
    if (pass == null) {
      pass = nextPass.getAndSet(null);
      passing = true;
    }
    int released = 0;
    S state = pass;
    for (int step = 0; state != null && step < most; step++) {
      S next = state.next;
      if (releaseIfAsNew(state, now, asker)) {
        released++;
      } else {
        sweepInNextPass(state);
      }
      state = next;
    }
    pass = state;
    if (state == null) {
      passing = false;
      passEnded = now;
    }
    return released;
  }

  private boolean releaseIfAsNew(S state, long now, InMemoryLimiter<?, S> asker) {
    synchronized (state) {
      if (!isAsNew(state, asker.timeUnderLock(now), asker)) {
        return false;
      }
      // Both under the lock: who finds a released state and asks the table again finds it gone.
      state.release();
      states.remove(state.key, state);
    }
    size.decrementAndGet();
    return true;
  }

  private void sweepInNextPass(S state) {
    S head;
    do {
      head = nextPass.get();
      state.next = head;
    } while (!nextPass.compareAndSet(head, state));
  }
}
