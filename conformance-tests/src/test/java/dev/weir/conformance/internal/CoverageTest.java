package dev.weir.conformance.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Step;
import dev.weir.conformance.internal.jqwik.Drafts;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import net.jqwik.api.Example;

/**
 * What the suite generates goes where limiters err. The bounds lie well below what was measured; a
 * test that fails says that generation has lost something.
 */
class CoverageTest {

  private static final int SAMPLES = 1_500;

  private static List<Trace> traces(Rule rule, Feature... without) {
    Set<Feature> features = EnumSet.allOf(Feature.class);
    features.removeAll(Set.of(Feature.FAILURES, Feature.BOUNDED_STATE));
    features.removeAll(Set.of(without));
    ReferenceSubject subject = new ReferenceSubject(features);
    return new Drafts()
        .get()
        .sampleStream()
        .limit(SAMPLES)
        .map(
            draft -> {
              Case<FixedWindowPolicy> c =
                  new Case<>(subject, Composer.policy(subject.policies(), draft));
              return c.run(Composer.compose(c, rule, draft));
            })
        .toList();
  }

  /** The share of traces, in percent, in which something happens. */
  private static long share(List<Trace> traces, Predicate<Trace> happens) {
    return traces.stream().filter(happens).count() * 100 / traces.size();
  }

  private static Predicate<Trace> apart(long micros) {
    return trace -> {
      for (int i = 0; i < trace.size(); i++) {
        for (int j = i + 1; j < trace.size(); j++) {
          Event earlier = trace.get(i);
          Event later = trace.get(j);
          if (earlier.isAdmitted()
              && later.isAcquire()
              && String.valueOf(earlier.key()).equals(later.key())
              && later.since(earlier) == micros) {
            return true;
          }
        }
      }
      return false;
    };
  }

  private static Predicate<Trace> atBorder(long offset) {
    return trace ->
        trace.events().stream()
            .anyMatch(e -> e.isAcquire() && Math.floorMod(e.clock() - offset, 1_000_000L) == 0);
  }

  @Example
  void atLeastAFifthOfTheRequestsIsDenied() {
    for (Rule rule :
        List.of(Rule.ADMISSION_BOUND, Rule.DENIALS_ARE_FREE, Rule.FIXED_WINDOW_MODEL)) {
      List<Event> requests =
          traces(rule).stream()
              .flatMap(trace -> trace.events().stream())
              .filter(Event::isAcquire)
              .toList();
      long denied = requests.stream().filter(Event::isDenied).count();
      assertThat(denied * 100 / requests.size()).as("percent denied").isBetween(20L, 80L);
    }
  }

  @Example
  void requestsLieOnTheEdgesOfWindowsAndBesideThem() {
    List<Trace> traces = traces(Rule.ADMISSION_BOUND);
    assertThat(share(traces, apart(999_999))).as("one window less 1 us apart").isGreaterThan(10);
    assertThat(share(traces, apart(1_000_000))).as("one window apart").isGreaterThan(15);
    assertThat(share(traces, apart(1_000_001))).as("one window and 1 us apart").isGreaterThan(8);
    assertThat(share(traces, atBorder(0))).as("at a border").isGreaterThan(20);
    assertThat(share(traces, atBorder(-1))).as("right before a border").isGreaterThan(10);
    assertThat(share(traces, atBorder(1))).as("right after a border").isGreaterThan(10);
  }

  @Example
  void requestsComeWhenWaitsAreOverAndRightBefore() {
    List<Trace> traces = traces(Rule.RETRY_AFTER_IS_SHORTEST);
    assertThat(share(traces, waits(0))).as("when retryAfter is over").isGreaterThan(30);
    assertThat(share(traces, waits(-1))).as("1 us before").isGreaterThan(30);
    List<Trace> resets = traces(Rule.RESET_AFTER_IS_SHORTEST);
    assertThat(share(resets, resets(0))).as("when resetAfter is over").isGreaterThan(40);
    assertThat(share(resets, resets(-1))).as("1 us before").isGreaterThan(40);
  }

  private static Predicate<Trace> waits(long offset) {
    return pairs(
        (earlier, later) ->
            earlier.isDenied()
                && earlier.permits() == later.permits()
                && later.since(earlier) == Times.micros(earlier.answer().retryAfter()) + offset);
  }

  private static Predicate<Trace> resets(long offset) {
    return pairs(
        (earlier, later) ->
            later.since(earlier) > 0
                && later.since(earlier) == Times.micros(earlier.answer().resetAfter()) + offset);
  }

  private static Predicate<Trace> pairs(java.util.function.BiPredicate<Event, Event> test) {
    return trace -> {
      for (int j = 1; j < trace.size(); j++) {
        String key = trace.get(j).key();
        int i = key == null || !trace.get(j).isAcquire() ? -1 : trace.previous(j, key);
        if (i >= 0 && test.test(trace.get(i), trace.get(j))) {
          return true;
        }
      }
      return false;
    };
  }

  @Example
  void weightsReachTheLimitAndPassIt() {
    List<Trace> traces = traces(Rule.ADMISSION_BOUND);
    assertThat(share(traces, asks(p -> p == 1))).as("for one permit").isGreaterThan(70);
    assertThat(share(traces, asks(p -> p > 1 && p <= 5))).as("for several").isGreaterThan(60);
    assertThat(share(traces, asks(p -> p > 5))).as("for more than any limit").isGreaterThan(15);
    assertThat(share(traces, asks(p -> p == Long.MAX_VALUE))).as("for the most").isGreaterThan(3);
  }

  private static Predicate<Trace> asks(java.util.function.LongPredicate permits) {
    return trace ->
        trace.events().stream().anyMatch(e -> e.isAcquire() && permits.test(e.permits()));
  }

  @Example
  void severalKeysAndTheAsynchronousFormAreUsed() {
    List<Trace> traces = traces(Rule.KEYS_INDEPENDENT);
    assertThat(share(traces, trace -> trace.keys().size() > 1)).isGreaterThan(50);
    assertThat(
            share(
                traces,
                trace ->
                    trace.events().stream()
                        .anyMatch(e -> e.step() instanceof Step.Acquire a && a.async())))
        .isGreaterThan(40);
  }

  @Example
  void theClockStepsBackSeveralTimesShortAndFarAndSometimesForward() {
    List<Trace> traces = traces(Rule.BACKWARD_CLOCK);
    assertThat(share(traces, trace -> stepsBack(trace, 0) > 1)).isGreaterThan(30);
    assertThat(share(traces, trace -> stepsBack(trace, 1_000_000) > 0)).isGreaterThan(40);
    assertThat(share(traces, trace -> stepsBack(trace, 80_000_000_000L) > 0)).isGreaterThan(3);
    assertThat(
            share(
                traces,
                trace ->
                    trace.events().stream().anyMatch(e -> e.step() instanceof Step.StepForward)))
        .isBetween(5L, 60L);
  }

  private static long stepsBack(Trace trace, long moreThan) {
    return trace.events().stream()
        .filter(e -> e.step() instanceof Step.StepBack back && Times.micros(back.by()) > moreThan)
        .count();
  }

  @Example
  void whatTheFeaturesDoNotAllowIsNotGenerated() {
    Set<Class<?>> steps = new HashSet<>();
    traces(
            Rule.FIXED_WINDOW_MODEL,
            Feature.PEEK,
            Feature.RESET,
            Feature.CLOCK_STEPS,
            Feature.SHARED_STATE,
            Feature.WEIGHTS)
        .forEach(
            trace ->
                trace
                    .events()
                    .forEach(
                        event -> {
                          steps.add(event.step().getClass());
                          assertThat(event.permits()).isEqualTo(1);
                        }));
    assertThat(steps).containsExactly(Step.Acquire.class);
  }
}
