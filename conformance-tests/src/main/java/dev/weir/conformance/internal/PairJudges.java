package dev.weir.conformance.internal;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules that compare a run with another that must lead to the same decisions. */
final class PairJudges {

  /** Some 90 days: no whole number of seconds, minutes or days, and a prime. */
  private static final long SHIFT = 7_777_777_777_801L;

  /** How many variants of one trace are run at most. */
  private static final int MOST_RUNS = 3;

  private static final long TWO_CENTURIES = 73_000L * 86_400_000_000L;

  private PairJudges() {}

  private static @Nullable Finding compare(Case<?> c, Trace trace, Variant variant, String title) {
    return compare(c, trace, variant, c.run(variant.scenario()), title);
  }

  static @Nullable Finding compare(
      Case<?> c, Trace trace, Variant variant, Trace other, String title) {
    for (int i = 0; i < other.size(); i++) {
      int origin = variant.origins().get(i);
      if (origin < 0) {
        continue;
      }
      Event event = trace.get(origin);
      Event twin = other.get(i);
      if (event.decision() != null
          && twin.decision() != null
          && !c.same(event.answer(), twin.answer())) {
        return new Finding(
            trace,
            origin,
            c.words(twin) + ", as line " + Report.line(other, i) + " below",
            c.words(event),
            other,
            title);
      }
    }
    Event failure = other.failure();
    if (failure != null && other.malformed() == null) {
      int origin = variant.origins().get(other.size());
      return new Finding(
          trace,
          Math.max(origin, 0),
          "a decision on the same request below, too",
          "threw " + failure.thrown(),
          other,
          title);
    }
    return null;
  }

  private static Function<Event, List<Step>> leavingOut(
      java.util.function.Predicate<Event> superfluous) {
    return event -> superfluous.test(event) ? List.of() : List.of(event.step());
  }

  private static boolean any(Trace trace, java.util.function.Predicate<Event> test) {
    return trace.events().stream().anyMatch(test);
  }

  /** 1.3: without a denied request the others are decided alike. */
  @SuppressWarnings("ReferenceEquality") // this very event, not one like it
  static @Nullable Finding denialsAreFree(Case<?> c, Trace trace) {
    int runs = 0;
    for (Event denied : trace.events()) {
      // One at a time: where denials count, the next ones are denied because of them.
      if (denied.isDenied() && runs++ < MOST_RUNS) {
        Finding finding =
            compare(
                c,
                trace,
                trace.variant(leavingOut(event -> event == denied)),
                "the same without line " + denied.line());
        if (finding != null) {
          return finding;
        }
      }
    }
    return null;
  }

  /** 1.4: an admitted request costs what its permits cost one by one, a denied one nothing. */
  static @Nullable Finding wholeOrNotAtAll(Case<?> c, Trace trace) {
    if (!any(trace, event -> event.isAcquire() && event.permits() > 1)) {
      return null;
    }
    Variant variant =
        trace.variant(
            event -> {
              if (!event.isAcquire() || event.permits() == 1) {
                return List.of(event.step());
              }
              return event.isDenied() ? List.of() : parts((Step.Acquire) event.step());
            });
    Trace other = c.run(variant.scenario());
    String title =
        "the same with the permits asked for in parts, and nothing where they were denied";
    for (int i = 0; i < other.size(); i++) {
      if (other.get(i).isDenied() && variant.origins().get(i) < 0) {
        int origin =
            variant.origins().subList(i, variant.origins().size()).stream()
                .filter(o -> o >= 0)
                .findFirst()
                .orElse(0);
        return new Finding(
            trace,
            origin,
            "that its parts are admitted too: "
                + c.words(other.get(i))
                + " in line "
                + Report.line(other, i)
                + " below",
            c.words(trace.get(origin)),
            other,
            title);
      }
    }
    return compare(c, trace, variant, other, title);
  }

  private static List<Step> parts(Step.Acquire whole) {
    String key = whole.key();
    if (whole.permits() <= 8) {
      return Collections.nCopies((int) whole.permits(), new Step.Acquire(key, 1, false));
    }
    return List.of(
        new Step.Acquire(key, 1, false), new Step.Acquire(key, whole.permits() - 1, false));
  }

  /** 1.5: NEVER for what exceeds the limit and only for that, and it takes nothing. */
  static @Nullable Finding neverMeansOverLimit(Case<?> c, Trace trace) {
    boolean any = false;
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      if (event.decision() == null) {
        continue;
      }
      boolean over = event.permits() > c.limit();
      any |= over;
      if (over && event.answer().allowed()) {
        return Finding.of(c, trace, i, "denied: it exceeds the limit of " + c.limit());
      }
      boolean never = event.answer().retryAfter().equals(dev.weir.Decision.NEVER);
      if (never != over) {
        return Finding.of(
            c,
            trace,
            i,
            over
                ? "retryAfter NEVER: it exceeds the limit of " + c.limit()
                : "a retryAfter that ends: it does not exceed the limit of " + c.limit());
      }
    }
    return any
        ? compare(
            c,
            trace,
            trace.variant(leavingOut(event -> event.isAcquire() && event.permits() > c.limit())),
            "the same without the requests over the limit")
        : null;
  }

  /** 2.6: after resetAfter the key is decided as on a limiter that nobody used. */
  static @Nullable Finding resetAfterSuffices(Case<?> c, Trace trace) {
    if ("resetAfter".equals(trace.malformed())) {
      return new Finding(
          trace,
          trace.size(),
          "a resetAfter of zero or more",
          "refused by Decision: " + Objects.requireNonNull(trace.failure()).thrown(),
          null,
          "");
    }
    int runs = 0;
    for (int i = trace.size() - 1; i > 0 && runs < 2; i--) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isAcquire()) {
        continue;
      }
      int previous = trace.previous(i, key);
      if (previous >= 0
          && trace.quiet(previous, i, key)
          && trace.get(previous).answer().resetAfter().isZero() == false
          && event.since(trace.get(previous))
              >= c.wait(trace.get(previous).answer().resetAfter())) {
        runs++;
        Finding finding =
            compare(
                c,
                trace,
                c.fresh(trace, i, key),
                "the same on a key that nobody used, for the resetAfter of line "
                    + Report.line(trace, previous)
                    + " is over");
        if (finding != null) {
          return finding;
        }
      }
    }
    return null;
  }

  /** 2.7: before resetAfter is over the key is not as new. */
  static @Nullable Finding resetAfterIsShortest(Case<?> c, Trace trace) {
    for (int i = 1; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null || !event.isAdmitted() || event.permits() != c.limit()) {
        continue;
      }
      int previous = trace.previous(i, key);
      if (previous < 0
          || !trace.quiet(previous, i, key)
          || event.since(trace.get(previous))
              >= c.wait(trace.get(previous).answer().resetAfter())) {
        continue;
      }
      Variant variant = c.fresh(trace, i, key);
      if (compare(c, trace, variant, "") == null) {
        return Finding.of(
            c,
            trace,
            i,
            "denied, or else another answer than on a new key: line "
                + Report.line(trace, previous)
                + " said resetAfter "
                + Case.words(trace.get(previous).answer().resetAfter())
                + ", and it is only "
                + Case.words(Times.duration(event.since(trace.get(previous)))));
      }
    }
    return null;
  }

  /** 2.8: peek tells what tryAcquire does and leaves no trace; reset makes new. */
  static @Nullable Finding peekAndReset(Case<?> c, Trace trace) {
    for (int i = 0; i + 1 < trace.size(); i++) {
      Event peek = trace.get(i);
      Event next = trace.get(i + 1);
      if (peek.step() instanceof Step.Peek
          && peek.decision() != null
          && next.isAcquire()
          && Objects.equals(peek.key(), next.key())
          && peek.permits() == next.permits()
          && peek.clock() == next.clock()
          && peek.era() == next.era()
          && next.group() < 0
          && !c.same(peek.answer(), next.answer())) {
        return Finding.of(
            c, trace, i, c.words(next) + ", which line " + Report.line(trace, i + 1) + " is");
      }
    }
    if (any(trace, event -> event.step() instanceof Step.Peek)) {
      Finding finding =
          compare(
              c,
              trace,
              trace.variant(leavingOut(event -> event.step() instanceof Step.Peek)),
              "the same without peeks");
      if (finding != null) {
        return finding;
      }
    }
    for (int i = 0; i + 1 < trace.size(); i++) {
      String key = trace.get(i).key();
      if (key != null
          && trace.get(i).step() instanceof Step.Reset
          && trace.get(i).thrown() == null) {
        Finding finding =
            compare(c, trace, c.fresh(trace, i, key), "the same on a key that nobody used");
        if (finding != null) {
          return finding;
        }
      }
    }
    return null;
  }

  /** 3.2: with pauses in pieces, and polls that fail in them, all is decided alike. */
  static @Nullable Finding pausesSplit(Case<?> c, Trace trace) {
    Variant.Builder builder = new Variant.Builder(Times.micros(trace.start()));
    long clock = Times.micros(trace.start());
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      for (long at : polls(clock, event.clock(), c.tick())) {
        builder.until(at);
        Step.Acquire poll = failingPoll(c, trace, i, at);
        if (poll != null) {
          builder.steps(List.of(poll), -1);
        }
      }
      builder.until(event.clock()).steps(List.of(event.step()), i);
      clock = event.clock();
    }
    return compare(
        c, trace, builder.build(), "the same with pauses in pieces, and failing polls in them");
  }

  /** Times within a pause: the quarters, and right before its end. */
  private static SortedSet<Long> polls(long from, long to, long tick) {
    SortedSet<Long> times = new TreeSet<>();
    for (int part = 1; part <= 3; part++) {
      times.add(from + (to - from) * part / 4 / tick * tick);
    }
    times.add(to - tick);
    times.removeIf(time -> time <= from || time >= to);
    return times;
  }

  /** A request that cannot be admitted at a time before an event, going by what was told. */
  private static Step.@Nullable Acquire failingPoll(Case<?> c, Trace trace, int before, long at) {
    for (int i = before - 1; i >= 0; i--) {
      Event event = trace.get(i);
      if (!event.isAcquire()) {
        continue;
      }
      boolean waiting =
          event.isDenied()
              && event.permits() <= c.limit()
              && c.has(Feature.EXACT_RETRY_AFTER)
              && at - event.clock() < c.wait(event.answer().retryAfter());
      if (waiting) {
        return (Step.Acquire) event.step();
      }
      return c.has(Feature.OVERSIZE) ? new Step.Acquire(event.key(), c.limit() + 1, false) : null;
    }
    return null;
  }

  /** 3.3: at another time all is decided alike. */
  static @Nullable Finding timeShift(Case<?> c, Trace trace) {
    Case<?> aligned = c;
    long step = alignment(aligned);
    long shift = Math.max(1, SHIFT / step) * step;
    if (trace.size() == 0 || trace.get(trace.size() - 1).clock() + shift > Times.MAX) {
      return null;
    }
    Variant same = trace.variant(event -> List.of(event.step()));
    Variant shifted =
        new Variant(
            new dev.weir.conformance.Scenario(
                same.scenario().start().plus(Times.duration(shift)), same.scenario().steps()),
            same.origins());
    return compare(c, trace, shifted, "the same, " + Case.words(Times.duration(shift)) + " later");
  }

  private static <P extends dev.weir.Policy> long alignment(Case<P> c) {
    return Times.ceil(c.subject().alignment(c.policy()), c.tick());
  }

  /** 3.5: after two centuries a key is as new. */
  static @Nullable Finding twoCenturies(Case<?> c, Trace trace) {
    for (int i = 1; i < trace.size(); i++) {
      Event event = trace.get(i);
      String key = event.key();
      if (key == null
          || !event.isAcquire()
          || event.since(trace.get(i - 1)) < Math.min(TWO_CENTURIES, Times.MAX / 2)) {
        continue;
      }
      return compare(c, trace, c.fresh(trace, i, key), "the same on a key that nobody used");
    }
    return null;
  }

  /** 4.1: without the other keys a key is decided alike. */
  static @Nullable Finding keysIndependent(Case<?> c, Trace trace) {
    List<String> keys = trace.keys();
    if (keys.size() < 2) {
      return null;
    }
    for (String key : keys) {
      Finding finding =
          compare(
              c,
              trace,
              trace.variant(leavingOut(event -> event.key() != null && !key.equals(event.key()))),
              "the same with key " + Notation.key(key) + " alone");
      if (finding != null) {
        return finding;
      }
    }
    return null;
  }

  /** 5.1: bad arguments throw what is documented, and change nothing. */
  static @Nullable Finding badArguments(Case<?> c, Trace trace) {
    List<Integer> bad = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      if (!event.isBad()) {
        continue;
      }
      bad.add(i);
      Class<?> expected =
          event.key() == null ? NullPointerException.class : IllegalArgumentException.class;
      if (event.thrown() == null || event.thrown().getClass() != expected) {
        return new Finding(
            trace,
            i,
            expected.getSimpleName() + ", thrown to the caller",
            event.thrown() == null && event.decision() == null ? "nothing" : c.words(event),
            null,
            "");
      }
    }
    return bad.isEmpty()
        ? null
        : compare(
            c,
            trace,
            trace.variant(leavingOut(Event::isBad)),
            "the same without the bad arguments");
  }

  /** 6.2: two limiters that take turns decide as one. */
  static @Nullable Finding twoLimiters(Case<?> c, Trace trace) {
    Variant same = trace.variant(event -> List.of(event.step()));
    return compare(
        c,
        trace,
        same,
        c.runOnTwo(same.scenario()),
        "the same on two limiters of one store and namespace, in turns");
  }
}
