package dev.weir.conformance.internal;

import dev.weir.FixedWindowPolicy;
import dev.weir.internal.Micros;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The fixed window by its definition. */
public final class FixedWindowReference extends ReferenceLimiter<FixedWindowReference.State> {

  private final FixedWindowPolicy policy;

  /** Creates a limiter on states that others may share. */
  public FixedWindowReference(
      FixedWindowPolicy policy, InstantSource clock, Map<String, State> states) {
    super(clock, states);
    this.policy = policy;
  }

  /** The time of the last admission, and what its window has admitted. */
  public record State(long last, long count) {}

  @Override
  public FixedWindowPolicy policy() {
    return policy;
  }

  @Override
  Outcome<State> decide(@Nullable State stored, long permits, long now) {
    long window = Micros.of(policy.window());
    State state = stored;
    if (state != null && state.last() - now > window) {
      long border = -Math.floorDiv(-now, window) * window;
      state = new State(border, state.count());
    }
    long at = state == null ? now : Math.max(now, state.last());
    long start = Math.floorDiv(at, window) * window;
    long end = start + window;
    long used = state != null && start <= state.last() && state.last() < end ? state.count() : 0;
    boolean allowed = permits <= policy.limit() - used;
    if (allowed) {
      state = new State(at, used + permits);
      used += permits;
    }
    return new Outcome<>(
        decision(
            allowed,
            Math.max(0, policy.limit() - used),
            permits > policy.limit() ? OptionalLong.empty() : OptionalLong.of(end - now),
            used > 0 ? end - now : 0),
        state);
  }

  @Override
  public FixedWindowReference withLimit(long limit) {
    return new FixedWindowReference(FixedWindowPolicy.of(limit, policy.window()), clock, states);
  }

  @Override
  long meaninglessFrom(State state) {
    return state.last() + Micros.of(policy.window());
  }
}
