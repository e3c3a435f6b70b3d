package dev.weir.conformance.internal;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.conformance.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules about the store. */
final class StoreJudges {

  private StoreJudges() {}

  /** 7.1: no answer of the store, no decision. */
  static @Nullable Finding storeFailure(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      Event event = trace.get(i);
      if (event.storeFails()
          && event.key() != null
          && !(event.thrown() instanceof RateLimiterUnavailableException)) {
        return Finding.of(
            c, trace, i, "RateLimiterUnavailableException: the store does not answer");
      }
    }
    return null;
  }

  /** 7.2: keys that nobody used for two lives have no state. */
  static @Nullable Finding stateReleased(Case<?> c, Trace trace) {
    for (int i = 0; i < trace.size(); i++) {
      Event count = trace.get(i);
      if (count.keys() < 0) {
        continue;
      }
      Set<String> inUse = new HashSet<>();
      for (Event event : trace.events().subList(0, i)) {
        String key = event.key();
        if (key != null && event.isAdmitted() && count.since(event) < 2 * c.life()) {
          inUse.add(key);
        }
      }
      if (count.keys() > inUse.size()) {
        return new Finding(
            trace,
            i,
            "at most "
                + inUse.size()
                + " keys with state: nobody used the others for two lives, "
                + Case.words(c.policy().life().multipliedBy(2)),
            count.keys() + " keys with state",
            null,
            "");
      }
    }
    return null;
  }

  /** 7.3: what follows a lost reply is as if the call had been made once, or not at all. */
  static @Nullable Finding lostReply(Case<?> c, Trace trace) {
    int lost = -1;
    for (int i = 0; i < trace.size() && lost < 0; i++) {
      if (trace.get(i).storeFails() && trace.get(i).key() != null) {
        lost = i;
      }
    }
    if (lost < 0) {
      return null;
    }
    // Two lost replies would allow four outcomes: only what comes before the second is judged.
    int end = lost + 1;
    while (end < trace.size() && !trace.get(end).storeFails()) {
      end++;
    }
    // Whether the call itself may have an answer is rule 7.1's business.
    Event call = trace.get(lost).withoutAnswer();
    List<Event> events = new ArrayList<>(trace.events().subList(0, end));
    events.set(lost, call);
    Trace judged = new Trace(trace.start(), events, null);
    Finding never = compare(c, judged, call, false);
    if (never == null) {
      return null;
    }
    Finding once = compare(c, judged, call, true);
    return once == null
        ? null
        : new Finding(
            trace,
            once.at(),
            once.expected()
                + " if the call whose reply was lost is charged once, or "
                + never.expected()
                + " if it is not",
            once.actual(),
            once.comparison(),
            "the same with that call charged once");
  }

  @SuppressWarnings("ReferenceEquality") // this very event, not one like it
  private static @Nullable Finding compare(Case<?> c, Trace trace, Event lost, boolean charged) {
    Variant variant =
        trace.variant(
            event ->
                event.step() instanceof Step.Store || (event == lost && !charged)
                    ? List.of()
                    : List.of(event.step()));
    return PairJudges.compare(c, trace, variant, c.run(variant.scenario()), "");
  }
}
