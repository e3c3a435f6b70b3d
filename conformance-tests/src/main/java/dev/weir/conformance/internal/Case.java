package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Scenario;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.List;

/** A limiter under test with one of its policies. */
record Case<P extends Policy>(Subject<P> subject, P policy) {

  Trace run(Scenario scenario) {
    return Run.of(subject, policy, scenario);
  }

  Trace runOnTwo(Scenario scenario) {
    return Run.onSeveral(subject, policy, scenario, 2);
  }

  boolean has(Feature feature) {
    return subject.has(feature);
  }

  long tick() {
    return subject.tick();
  }

  /**
   * What borders are multiples of: what windows are aligned to, or where they are not, the life.
   */
  long border() {
    long aligned = subject.alignment(policy);
    return aligned > tick() ? aligned : life();
  }

  long limit() {
    return policy.limit();
  }

  long life() {
    return Times.micros(policy.life());
  }

  /** The most that the policy admits within so many microseconds. */
  long bound(long micros) {
    return policy.admissionBound(Times.duration(micros));
  }

  /** Microseconds that the limiter can wait exactly, rounded up to its tick. */
  long wait(Duration duration) {
    return Times.ceil(Times.micros(duration), tick());
  }

  /** Whether two decisions are the same in all that the limiter promises to tell exactly. */
  boolean same(Decision one, Decision other) {
    return one.allowed() == other.allowed()
        && (!has(Feature.REMAINING) || one.remaining() == other.remaining())
        && (!isExact(Feature.EXACT_RETRY_AFTER)
            || wait(one.retryAfter()) == wait(other.retryAfter()))
        && (!isExact(Feature.EXACT_RESET_AFTER)
            || wait(one.resetAfter()) == wait(other.resetAfter()));
  }

  /** Waits can be compared only where time stands still between requests. */
  private boolean isExact(Feature wait) {
    return has(wait) && has(Feature.VIRTUAL_TIME);
  }

  /** A decision in words, as far as the limiter promises to tell. */
  String words(Decision decision) {
    StringBuilder words = new StringBuilder(decision.allowed() ? "admitted" : "denied");
    if (has(Feature.REMAINING)) {
      words.append(", remaining ").append(decision.remaining());
    }
    if (!decision.allowed() && has(Feature.RETRY_AFTER)) {
      words.append(", retryAfter ").append(words(decision.retryAfter()));
    }
    if (has(Feature.RESET_AFTER)) {
      words.append(", resetAfter ").append(words(decision.resetAfter()));
    }
    return words.toString();
  }

  static String words(Duration duration) {
    if (duration.equals(Decision.NEVER)) {
      return "NEVER";
    }
    long micros = Times.micros(duration);
    if (micros == 0) {
      return "0";
    }
    return micros == Long.MAX_VALUE ? duration.toString() : Micros.text(Times.duration(micros));
  }

  /** What a request came to, in words. */
  String words(Event event) {
    if (event.decision() != null) {
      return words(event.decision());
    }
    if (event.keys() >= 0) {
      return event.keys() + " keys";
    }
    return event.thrown() == null ? "" : "threw " + event.thrown();
  }

  /** A scenario of one key on a limiter that nobody used, which starts with an event of a trace. */
  Variant fresh(Trace trace, int from, String key) {
    return trace.variant(
        from,
        event ->
            key.equals(event.key()) && event.era() == trace.get(from).era()
                ? List.of(event.step())
                : List.of());
  }
}
