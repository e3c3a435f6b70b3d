package dev.weir.conformance.internal;

import dev.weir.conformance.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trace is what a run of a scenario brought about.
 *
 * @param start what the clock said at first
 * @param events what happened, in order
 * @param failure the event that threw although its arguments are good; the run ended there
 */
record Trace(Instant start, List<Event> events, @Nullable Event failure) {

  Event get(int index) {
    return events.get(index);
  }

  int size() {
    return events.size();
  }

  /** The component of a decision that its constructor refused, if that is how the run ended. */
  @Nullable String malformed() {
    if (failure == null || !(failure.thrown() instanceof IllegalArgumentException refused)) {
      return null;
    }
    StackTraceElement[] stack = refused.getStackTrace();
    boolean ofDecision =
        stack.length > 0
            && stack[0].getClassName().equals(dev.weir.Decision.class.getName())
            && stack[0].getMethodName().equals("<init>");
    return ofDecision ? String.valueOf(refused.getMessage()).split(" ", 2)[0] : null;
  }

  /** Whether nothing between two events matters to the key: no admission, no reset, no new era. */
  boolean quiet(int from, int to, String key) {
    if (get(from).era() != get(to).era()) {
      return false;
    }
    for (int i = from; i <= to; i++) {
      if (get(i).group() >= 0) {
        return false;
      }
    }
    for (int i = from + 1; i < to; i++) {
      Event event = get(i);
      if (key.equals(event.key()) && (event.isAdmitted() || event.step() instanceof Step.Reset)) {
        return false;
      }
    }
    return true;
  }

  /** The last acquire of the key before an event, or -1. */
  int previous(int index, String key) {
    for (int i = index - 1; i >= 0; i--) {
      if (get(i).isAcquire() && key.equals(get(i).key())) {
        return i;
      }
    }
    return -1;
  }

  /** The keys that were asked for, in order. */
  List<String> keys() {
    return events.stream()
        .filter(Event::isAcquire)
        .map(Event::key)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** A variant of this trace in which each event is replaced by steps at the same time. */
  Variant variant(Function<Event, List<Step>> replacement) {
    return variant(0, replacement);
  }

  /** A variant that begins with an event of this trace. */
  Variant variant(int from, Function<Event, List<Step>> replacement) {
    Variant.Builder builder =
        new Variant.Builder(from == 0 ? Times.micros(start) : get(from).clock());
    int group = -1;
    for (int i = from; i < size(); i++) {
      Event event = get(i);
      builder.until(event);
      List<Step> steps = replacement.apply(event);
      if (event.group() >= 0 && steps.equals(List.of(event.step()))) {
        if (event.group() != group) {
          List<Step.Acquire> together = new ArrayList<>();
          for (int j = i; j < size() && get(j).group() == event.group(); j++) {
            together.add((Step.Acquire) get(j).step());
            builder.origin(j);
          }
          builder.step(new Step.Together(together));
        }
        group = event.group();
      } else {
        builder.steps(steps, i);
      }
    }
    return builder.build();
  }
}
