package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.conformance.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Rules 8.1, 9.1, 10.1 and 11.1: every decision is the reference model's.
 *
 * <p>A limiter may have forgotten a key once its state had lost its meaning. If the clock then
 * steps back to where the state would mean something again, both answers are lawful, and the key is
 * not judged further.
 */
final class ModelJudge {

  private final Case<?> c;
  private final Trace trace;
  private final AtomicLong now = new AtomicLong();
  private ReferenceLimiter<?> reference;
  private final Map<String, Long> forgettableFrom = new HashMap<>();
  private final Map<String, Long> latest = new HashMap<>();
  private final Set<String> undecided = new HashSet<>();

  private <P extends Policy> ModelJudge(Case<P> c, Trace trace) {
    this.c = c;
    this.trace = trace;
    this.reference =
        c.subject()
            .reference(c.policy(), () -> Times.instant(now.get()))
            .orElseThrow(() -> new IllegalStateException("the algorithm has no reference model"));
  }

  static @Nullable Finding judge(Case<?> c, Trace trace) {
    return new ModelJudge(c, trace).judge();
  }

  private @Nullable Finding judge() {
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      if (event.step() instanceof Step.StepForward || event.step() instanceof Step.StepBack) {
        see(event.clock() + (event.step() instanceof Step.StepBack b ? Times.micros(b.by()) : 0));
      }
      now.set(event.clock());
      see(event.clock());
      String key = event.key();
      if (event.step() instanceof Step.Limit changed) {
        reference = reference.withLimit(changed.limit());
        Set.copyOf(forgettableFrom.keySet()).forEach(this::noteForgettable);
      } else if (key != null && !event.isBad()) {
        Decision expected = expected(event, key);
        if (expected != null && !c.same(event.answer(), expected)) {
          return Finding.of(c, trace, i, c.words(expected));
        }
      }
    }
    return null;
  }

  private void see(long clock) {
    latest.replaceAll((key, time) -> Math.max(time, clock));
  }

  private void noteForgettable(String key) {
    reference.meaninglessFrom(key).ifPresent(time -> forgettableFrom.merge(key, time, Math::min));
  }

  /** The reference's decision, or null where none can be demanded. */
  private @Nullable Decision expected(Event event, String key) {
    if (event.step() instanceof Step.Reset) {
      reference.reset(key);
      forget(key);
      undecided.remove(key);
      return null;
    }
    if (latest.getOrDefault(key, 0L) >= forgettableFrom.getOrDefault(key, Long.MAX_VALUE)
        && event.clock() < reference.meaninglessFrom(key).orElse(0)) {
      undecided.add(key);
    }
    if (undecided.contains(key)) {
      return null;
    }
    if (event.step() instanceof Step.Peek) {
      return reference.peek(key, event.permits());
    }
    OptionalLong before = reference.meaninglessFrom(key);
    Decision decision = reference.tryAcquire(key, event.permits());
    boolean rebased = !before.equals(reference.meaninglessFrom(key));
    if (decision.allowed() || rebased) {
      forget(key);
      latest.put(key, event.clock());
      noteForgettable(key);
    }
    return decision;
  }

  private void forget(String key) {
    forgettableFrom.remove(key);
    latest.remove(key);
  }
}
