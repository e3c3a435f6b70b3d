package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.conformance.Feature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rule 6.1: requests at one instant from many threads are decided in some order. */
final class ThreadJudges {

  private ThreadJudges() {}

  static @Nullable Finding threads(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      int group = trace.get(i).group();
      if (group < 0 || (i > 0 && trace.get(i - 1).group() == group)) {
        continue;
      }
      int end = i;
      while (end < trace.size() && trace.get(end).group() == group) {
        end++;
      }
      Finding finding = explain(c, trace, i, end);
      if (finding != null) {
        return finding;
      }
    }
    // Requests for equal permits leave the same state in any order: what follows must be the same.
    return equalPermits(trace) ? likeOneThread(c, trace) : null;
  }

  private static boolean equalPermits(Trace trace) {
    return trace.events().stream()
            .filter(event -> event.group() >= 0)
            .mapToLong(Event::permits)
            .distinct()
            .count()
        <= 1;
  }

  private static @Nullable Finding likeOneThread(Case<?> c, Trace trace) {
    Variant.Builder builder = new Variant.Builder(Times.micros(trace.start()));
    for (int i = 0; i < trace.size(); i++) {
      builder.until(trace.get(i)).steps(List.of(trace.get(i).step()), i);
    }
    Variant variant = builder.build();
    Trace other = c.run(variant.scenario());
    String title = "the same with one thread";
    for (int i = 0; i < Math.min(trace.size(), other.size()); i++) {
      int end = i;
      while (end < trace.size()
          && trace.get(end).group() >= 0
          && trace.get(end).group() == trace.get(i).group()) {
        end++;
      }
      if (end == i) {
        continue;
      }
      long admitted = admitted(trace, i, end);
      long one = admitted(other, i, Math.min(end, other.size()));
      if (admitted != one) {
        return new Finding(
            trace,
            end - 1,
            one + " of the " + (end - i) + " concurrent requests admitted, as with one thread",
            admitted + " admitted",
            other,
            title);
      }
      i = end - 1;
    }
    for (int i = 0; i < Math.min(trace.size(), other.size()); i++) {
      if (trace.get(i).group() < 0
          && trace.get(i).decision() != null
          && other.get(i).decision() != null
          && !c.same(trace.get(i).answer(), other.get(i).answer())) {
        return new Finding(
            trace,
            i,
            c.words(other.get(i)) + ", as with one thread",
            c.words(trace.get(i)),
            other,
            title);
      }
    }
    return null;
  }

  private static long admitted(Trace trace, int from, int to) {
    return trace.events().subList(from, to).stream().filter(Event::isAdmitted).count();
  }

  /** Whether there is an order that explains what remained after each request of a group. */
  private static @Nullable Finding explain(Case<?> c, Trace trace, int from, int to) {
    if (!c.has(Feature.REMAINING)) {
      return null;
    }
    List<Event> admitted = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (trace.get(i).isAdmitted()) {
        admitted.add(trace.get(i));
      }
    }
    admitted.sort(Comparator.comparingLong((Event e) -> e.answer().remaining()).reversed());
    Set<Long> levels = new TreeSet<>();
    if (!admitted.isEmpty()) {
      levels.add(admitted.get(0).answer().remaining() + admitted.get(0).permits());
    }
    for (int k = 0; k < admitted.size(); k++) {
      Decision decision = admitted.get(k).answer();
      if (k > 0
          && admitted.get(k - 1).answer().remaining() - admitted.get(k).permits()
              != decision.remaining()) {
        return new Finding(
            trace,
            to - 1,
            "an order of the requests that explains what each said remains",
            "no order does",
            null,
            "");
      }
      levels.add(decision.remaining());
    }
    for (int i = from; i < to; i++) {
      Event event = trace.get(i);
      long remaining = event.answer().remaining();
      if (event.isDenied()
          && (remaining >= event.permits() || (!levels.isEmpty() && !levels.contains(remaining)))) {
        return new Finding(
            trace,
            i,
            "denied only when less remains than is asked for",
            c.words(event) + " of " + event.permits() + " asked for, in no order possible",
            null,
            "");
      }
    }
    return null;
  }
}
