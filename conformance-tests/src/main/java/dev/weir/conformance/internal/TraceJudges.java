package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules that one run alone can break. */
final class TraceJudges {

  private TraceJudges() {}

  /** 1.1: no interval between two admissions of a key holds more than the bound. */
  static @Nullable Finding admissionBound(Case<?> c, Trace trace) {
    for (String key : trace.keys()) {
      List<Integer> admitted = new ArrayList<>();
      for (int i = 0; i < trace.size(); i++) {
        Event event = trace.get(i);
        if (!key.equals(event.key())) {
          continue;
        }
        if (event.step() instanceof Step.Reset) {
          admitted.clear();
        } else if (event.isAdmitted()) {
          admitted.add(i);
          Finding finding = admissionBound(c, trace, admitted);
          if (finding != null) {
            return finding;
          }
        }
      }
    }
    return null;
  }

  private static @Nullable Finding admissionBound(Case<?> c, Trace trace, List<Integer> admitted) {
    Event last = trace.get(admitted.get(admitted.size() - 1));
    long sum = 0;
    for (int k = admitted.size() - 1; k >= 0; k--) {
      Event first = trace.get(admitted.get(k));
      sum = Math.addExact(sum, first.permits());
      // The shortest half-open interval that holds both.
      long interval = last.end() - first.start() + 1;
      long jumped = last.jumped() - first.jumped();
      long bound = c.bound(interval + jumped);
      if (sum > bound) {
        return Finding.of(
            c,
            trace,
            admitted.get(admitted.size() - 1),
            "denied: since line "
                + Report.line(trace, admitted.get(k))
                + " at most "
                + bound
                + " permits may be admitted in "
                + Case.words(Times.duration(interval))
                + (jumped == 0
                    ? ""
                    : " in which the clock was set forward by "
                        + Case.words(Times.duration(jumped)))
                + ", with this request it is "
                + sum);
      }
    }
    return null;
  }

  /** 1.2: a new key, and one whose resetAfter is over, admits whatever fits. */
  static @Nullable Finding admitsWhatFits(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isDenied() || event.permits() > c.limit() || event.group() >= 0) {
        continue;
      }
      String reason = reasonToBeNew(c, trace, i, key);
      if (reason != null) {
        return Finding.of(c, trace, i, "admitted: " + reason);
      }
    }
    return null;
  }

  private static @Nullable String reasonToBeNew(Case<?> c, Trace trace, int index, String key) {
    for (int i = index - 1; i >= 0; i--) {
      Event event = trace.get(i);
      if (event.step() instanceof Step.Reset && key.equals(event.key())) {
        return "the key was reset and not used since";
      }
      if (event.isAdmitted() && key.equals(event.key())) {
        break;
      }
      if (i == 0) {
        return "the key is new";
      }
    }
    if (index == 0) {
      return "the key is new";
    }
    int previous = trace.previous(index, key);
    return previous >= 0
            && c.has(Feature.RESET_AFTER)
            && trace.quiet(previous, index, key)
            && isPastReset(c, trace.get(previous), trace.get(index))
        ? "the resetAfter of line " + Report.line(trace, previous) + " is over"
        : null;
  }

  private static boolean isPastReset(Case<?> c, Event earlier, Event event) {
    return event.since(earlier) >= c.wait(earlier.answer().resetAfter());
  }

  /** 2.1: the numbers are in range, and right after a lowered limit. */
  static @Nullable Finding remainingInRange(Case<?> c, Trace trace) {
    String malformed = trace.malformed();
    if (malformed != null && (malformed.equals("limit") || malformed.equals("remaining"))) {
      return refused(trace, "0 <= remaining <= limit");
    }
    long limit = c.limit();
    Map<String, Event> latest = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (event.step() instanceof Step.Limit changed) {
        limit = changed.limit();
      }
      if (key == null || event.decision() == null) {
        continue;
      }
      Decision decision = event.answer();
      if (decision.limit() != limit) {
        return Finding.of(
            c, trace, i, "limit " + limit + ", the policy's, instead of " + decision.limit());
      }
      Event before = latest.remove(key);
      if (before != null && event.era() > 0 && event.since(before) == 0 && event.isDenied()) {
        long remaining = before.answer().remaining();
        long expected = remainingOfLowered(c, remaining, limit);
        if (limit < c.limit() && c.has(Feature.REMAINING) && decision.remaining() != expected) {
          return Finding.of(
              c,
              trace,
              i,
              "remaining "
                  + expected
                  + ": the limit was lowered from "
                  + c.limit()
                  + " to "
                  + limit
                  + " when "
                  + remaining
                  + " remained");
        }
      }
      // What a denial says remains is rule 2.2's business.
      if (event.isAdmitted() && event.era() == 0) {
        latest.put(key, event);
      }
    }
    return null;
  }

  private static long remainingOfLowered(Case<?> c, long remaining, long limit) {
    // A bucket that is made smaller spills; it was not used for what it spills.
    return c.policy() instanceof TokenBucketPolicy
        ? Math.min(remaining, limit)
        : Math.max(0, limit - (c.limit() - remaining));
  }

  private static Finding refused(Trace trace, String expected) {
    Event failure = trace.failure();
    return new Finding(
        trace,
        trace.size(),
        expected,
        "refused by Decision: " + (failure == null ? "" : failure.thrown()),
        null,
        "");
  }

  /** 2.2: what remains can be had at that instant, and no more. */
  static @Nullable Finding remainingIsTrue(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isAcquire()) {
        continue;
      }
      int previous = trace.previous(i, key);
      if (previous < 0 || event.since(trace.get(previous)) != 0 || !trace.quiet(previous, i, key)) {
        continue;
      }
      long remaining = trace.get(previous).answer().remaining();
      if (event.isAdmitted() != event.permits() <= remaining) {
        return Finding.of(
            c,
            trace,
            i,
            (event.isAdmitted() ? "denied" : "admitted")
                + ": at this instant line "
                + Report.line(trace, previous)
                + " said that "
                + remaining
                + " remain");
      }
    }
    return null;
  }

  /** 2.3: only a decision that its constructor refuses can break it. */
  static @Nullable Finding retryAfterZeroWhenAllowed(Case<?> c, Trace trace) {
    return "retryAfter".equals(trace.malformed())
        ? refused(trace, "retryAfter above zero if denied, and zero if admitted")
        : null;
  }

  /** 2.4: who waits as told is admitted. */
  static @Nullable Finding retryAfterSuffices(Case<?> c, Trace trace) {
    return retryAfter(c, trace, true);
  }

  /** 2.5: who comes earlier is not. */
  static @Nullable Finding retryAfterIsShortest(Case<?> c, Trace trace) {
    return retryAfter(c, trace, false);
  }

  private static @Nullable Finding retryAfter(Case<?> c, Trace trace, boolean suffices) {
    for (int i = 0; i < trace.size(); i++) {
      Event denied = trace.get(i);
      String key = denied.key();
      if (key == null || !denied.isDenied() || denied.permits() > c.limit()) {
        continue;
      }
      long wait = c.wait(denied.answer().retryAfter());
      for (int j = i + 1; j < trace.size(); j++) {
        Event event = trace.get(j);
        if (!event.isAcquire()
            || !key.equals(event.key())
            || event.permits() != denied.permits()
            || !trace.quiet(i, j, key)) {
          continue;
        }
        boolean over = event.since(denied) >= wait;
        if (suffices ? over && event.isDenied() : !over && event.isAdmitted()) {
          return Finding.of(
              c,
              trace,
              j,
              (suffices ? "admitted" : "denied")
                  + ": line "
                  + Report.line(trace, i)
                  + " said retryAfter "
                  + Case.words(denied.answer().retryAfter())
                  + ", "
                  + (suffices
                      ? "which is over, and nobody was admitted since"
                      : "and it is only " + Case.words(Times.duration(event.since(denied)))));
        }
      }
    }
    return null;
  }

  /** 3.1: the bounds hold in true time, nobody waits for ever, and the answers stay true. */
  static @Nullable Finding backwardClock(Case<?> c, Trace trace) {
    Finding finding = admissionBound(c, trace);
    if (finding == null) {
      finding = noEndlessWait(c, trace);
    }
    if (finding == null && c.has(Feature.REMAINING)) {
      finding = remainingIsTrue(c, trace);
    }
    if (finding == null && c.has(Feature.RETRY_AFTER)) {
      finding = retryAfterSuffices(c, trace);
    }
    if (finding == null && c.has(Feature.EXACT_RETRY_AFTER)) {
      finding = retryAfterIsShortest(c, trace);
    }
    if (finding == null && c.has(Feature.RESET_AFTER)) {
      finding = admitsWhatFits(c, trace);
    }
    return finding;
  }

  private static @Nullable Finding noEndlessWait(Case<?> c, Trace trace) {
    int lastEra = trace.size() == 0 ? 0 : trace.get(trace.size() - 1).era();
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      if (event.era() == lastEra
          && event.isDenied()
          && event.permits() <= c.limit()
          // Another wait is not told as what has to be waited.
          && c.has(Feature.EXACT_RETRY_AFTER)
          && Times.micros(event.answer().retryAfter()) > Times.ceil(2 * c.life(), c.tick())) {
        return Finding.of(
            c,
            trace,
            i,
            "a wait of at most twice the life, "
                + Case.words(Times.duration(2 * c.life()))
                + ", after the last step of the clock");
      }
    }
    return null;
  }

  /** 3.4: what is exactly one life old no longer counts. */
  static @Nullable Finding halfOpen(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isDenied() || event.permits() > c.limit()) {
        continue;
      }
      for (int j = i - 1; j >= 0; j--) {
        Event earlier = trace.get(j);
        if (earlier.isAdmitted() && key.equals(earlier.key())) {
          if (trace.quiet(j, i, key) && event.since(earlier) >= c.life()) {
            return Finding.of(
                c,
                trace,
                i,
                "admitted: the last admission, line "
                    + Report.line(trace, j)
                    + ", is one life of "
                    + Case.words(Times.duration(c.life()))
                    + " old");
          }
          break;
        }
      }
    }
    return null;
  }

  /** 4.2: every key has its own state, which is found again. */
  static @Nullable Finding anyKey(Case<?> c, Trace trace) {
    Map<String, Long> taken = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isAcquire()) {
        continue;
      }
      long before = taken.getOrDefault(key, 0L);
      boolean fits = event.permits() <= c.limit() - before;
      if (event.isAdmitted()) {
        taken.put(key, before + event.permits());
      }
      if (event.isAdmitted() != fits) {
        return Finding.of(
            c,
            trace,
            i,
            fits
                ? "admitted: this key has taken " + before + " of " + c.limit() + " so far"
                : "denied: this key has taken all its " + c.limit() + " permits already");
      }
    }
    return null;
  }
}
