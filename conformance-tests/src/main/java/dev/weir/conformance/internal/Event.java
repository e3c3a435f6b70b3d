package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.conformance.Step;
import org.jspecify.annotations.Nullable;

/**
 * An event is a step of a run with what came of it. A wait is no event: it shows in the times.
 *
 * @param step the step, with numbers in the place of {@code rest} and {@code again}
 * @param line under which number it is reported; repetitions share theirs
 * @param clock what the clock said, in microseconds since 1970
 * @param start when the event began, in microseconds of true time since the run began
 * @param end when it was over
 * @param jumped by how much the clock was set forward since the run began
 * @param era counts the events that change the rules: steps of the clock, other limits
 * @param group counts the groups of concurrent requests; -1 outside of one
 * @param storeFails whether the store was made to fail
 * @param keys how many keys had state, if that was counted; else -1
 * @param decision the answer, if the step has one
 * @param thrown what was thrown instead
 */
record Event(
    Step step,
    int line,
    long clock,
    long start,
    long end,
    long jumped,
    int era,
    int group,
    boolean storeFails,
    long keys,
    @Nullable Decision decision,
    @Nullable Throwable thrown) {

  /** Whether permits were asked for, with good arguments. */
  boolean isAcquire() {
    return decision != null && step instanceof Step.Acquire;
  }

  /** Whether permits were taken. */
  boolean isAdmitted() {
    return isAcquire() && answer().allowed();
  }

  /** Whether permits were asked for and not given. */
  boolean isDenied() {
    return isAcquire() && !answer().allowed();
  }

  /** The answer of an event that has one. */
  Decision answer() {
    if (decision == null) {
      throw new IllegalStateException(step + " has no decision");
    }
    return decision;
  }

  /** The key that the step is about, or null. */
  @Nullable String key() {
    return key(step);
  }

  /** The permits asked for or asked about. */
  long permits() {
    return permits(step);
  }

  /** Whether the step has a bad argument, made on purpose. */
  boolean isBad() {
    return isBad(step);
  }

  static boolean isBad(Step step) {
    boolean isRequest =
        step instanceof Step.Acquire || step instanceof Step.Peek || step instanceof Step.Reset;
    String key = key(step);
    return isRequest && (key == null || key.isEmpty() || permits(step) < 1);
  }

  private static @Nullable String key(Step step) {
    if (step instanceof Step.Acquire acquire) {
      return acquire.key();
    } else if (step instanceof Step.Peek peek) {
      return peek.key();
    } else if (step instanceof Step.Reset reset) {
      return reset.key();
    }
    return null;
  }

  private static long permits(Step step) {
    if (step instanceof Step.Acquire acquire) {
      return acquire.permits();
    }
    return step instanceof Step.Peek peek ? peek.permits() : 1;
  }

  /** The event as if nothing had come back. */
  Event withoutAnswer() {
    return new Event(
        step, line, clock, start, end, jumped, era, group, storeFails, keys, null, null);
  }

  /** How long after the earlier event this one is, by the clock. */
  long since(Event earlier) {
    return clock - earlier.clock();
  }
}
