package dev.weir.conformance.internal;

import org.jspecify.annotations.Nullable;

/**
 * A finding is where and how a run breaks a rule.
 *
 * @param trace the run
 * @param at the event that is wrong; the number of events if it is the one that ended the run
 * @param expected what should have come of it, and why
 * @param actual what did
 * @param comparison another run that shows it should have, or null
 * @param title what the other run is
 */
record Finding(
    Trace trace, int at, String expected, String actual, @Nullable Trace comparison, String title) {

  /** The event that is wrong. */
  Event wrong() {
    Event failure = trace.failure();
    return at == trace.size() && failure != null ? failure : trace.get(at);
  }

  static Finding of(Case<?> c, Trace trace, int at, String expected) {
    return new Finding(trace, at, expected, c.words(trace.get(at)), null, "");
  }
}
