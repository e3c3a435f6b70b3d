package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rule 4.3: what happens in other namespaces, and in other algorithms, changes nothing. */
final class NamespaceJudge {

  // A namespace and a key that a store could join to the same name as another pair.
  private static final String KEY = "p:q/r";
  private static final List<Map.Entry<String, String>> LOOK_ALIKES =
      List.of(Map.entry(":p", "q/r"), Map.entry("/p:q", "r"), Map.entry("p", ":q/r"));

  private NamespaceJudge() {}

  static @Nullable Finding judge(Case<?> c, Scenario scenario) {
    return judgeCase(c, scenario);
  }

  private static <P extends Policy> @Nullable Finding judgeCase(Case<P> c, Scenario scenario) {
    Trace mixed = Run.routed(c.subject(), c.policy(), scenario, (l, f) -> router(c, l, f));
    if (mixed.failure() != null && mixed.malformed() == null) {
      return new Finding(
          mixed, mixed.size(), "a decision", "threw " + mixed.failure().thrown(), null, "");
    }
    Variant alone =
        mixed.variant(
            event ->
                event.key() == null || event.key().equals("a")
                    ? List.of(event.step())
                    : List.<Step>of());
    Trace other = Run.routed(c.subject(), c.policy(), alone.scenario(), (l, f) -> router(c, l, f));
    return PairJudges.compare(
        c,
        mixed,
        alone,
        other,
        "the same with a alone; the other letters stand for limiters of other namespaces and"
            + " algorithms");
  }

  private static <P extends Policy> Run.Router router(
      Case<P> c, RateLimiter limiter, RunFixture fixture) {
    Map<String, Run.Target> targets = new HashMap<>();
    targets.put("a", new Run.Target(limiter, KEY));
    char letter = 'b';
    for (RateLimiter neighbour : c.subject().neighbours(fixture)) {
      targets.put(String.valueOf(letter++), new Run.Target(neighbour, KEY));
    }
    for (Map.Entry<String, String> pair : LOOK_ALIKES) {
      RateLimiter there = c.subject().create(c.policy(), fixture.sibling(pair.getKey()));
      targets.put(String.valueOf(letter++), new Run.Target(there, pair.getValue()));
    }
    RateLimiter elsewhere = c.subject().create(c.policy(), fixture.sibling("-other"));
    targets.put(String.valueOf(letter), new Run.Target(elsewhere, KEY));
    return (key, request) -> targets.getOrDefault(key, new Run.Target(elsewhere, key));
  }
}
