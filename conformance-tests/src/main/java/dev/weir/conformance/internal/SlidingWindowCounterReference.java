package dev.weir.conformance.internal;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The sliding window counter by its definition; the waits are found by trying out times. */
public final class SlidingWindowCounterReference
    extends ReferenceLimiter<SlidingWindowCounterReference.State> {

  private final SlidingWindowCounterPolicy policy;
  private final long window;

  /** Creates a limiter on states that others may share. */
  public SlidingWindowCounterReference(
      SlidingWindowCounterPolicy policy, InstantSource clock, Map<String, State> states) {
    super(clock, states);
    this.policy = policy;
    this.window = Micros.of(policy.window());
  }

  /** A time, what was admitted in its window, and what was admitted in the window before it. */
  public record State(long time, long previous, long current) {}

  @Override
  public SlidingWindowCounterPolicy policy() {
    return policy;
  }

  @Override
  Outcome<State> decide(@Nullable State stored, long permits, long now) {
    State state = stored;
    if (state != null && state.time() - now > 2 * window) {
      state = new State(now, 0, used(state));
    }
    State seen = state == null ? new State(now, 0, 0) : at(Math.max(now, state.time()), state);
    boolean allowed = permits <= policy.limit() - used(seen);
    if (allowed) {
      seen = new State(seen.time(), seen.previous(), seen.current() + permits);
      state = seen;
    }
    return new Outcome<>(
        decision(
            allowed,
            Math.max(0, policy.limit() - used(seen)),
            permits > policy.limit()
                ? OptionalLong.empty()
                : OptionalLong.of(firstTime(seen, policy.limit() - permits) - now),
            used(seen) == 0 ? 0 : firstTime(seen, 0) - now),
        state);
  }

  @Override
  public SlidingWindowCounterReference withLimit(long limit) {
    return new SlidingWindowCounterReference(
        SlidingWindowCounterPolicy.of(limit, policy.window()), clock, states);
  }

  @Override
  long meaninglessFrom(State state) {
    return state.time() + 2 * window;
  }

  /** A state as it is seen from a later time. */
  private State at(long time, State state) {
    long windows = time / window - state.time() / window;
    return new State(
        time,
        windows == 0 ? state.previous() : windows == 1 ? state.current() : 0,
        windows == 0 ? state.current() : 0);
  }

  /** All of the current window's permits, and as many of the previous one's as overlap it. */
  private long used(State state) {
    long overlap = window - state.time() % window;
    BigInteger[] weighted =
        big(state.previous()).multiply(big(overlap)).divideAndRemainder(big(window));
    return state.current() + weighted[0].longValueExact() + weighted[1].signum();
  }

  /** The first time at which at most so many permits are used: they only get less. */
  private long firstTime(State state, long most) {
    long low = state.time();
    long high = state.time() + 2 * window;
    while (low < high) {
      long middle = (low + high) / 2;
      if (used(at(middle, state)) <= most) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
