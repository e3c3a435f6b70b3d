package dev.weir.conformance.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.weir.conformance.Rule;
import dev.weir.conformance.RuleMethods;
import dev.weir.conformance.Violation;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the suite on one class, as an author would, and collects what it finds. */
final class KillRun {

  private static final String SEED = "weir.conformance.seed";

  /** Would say for each run that there is no database. Held here, or its level is lost. */
  private static final Logger DATABASE = Logger.getLogger("net.jqwik.engine.JqwikConfiguration");

  static {
    DATABASE.setLevel(Level.WARNING);
  }

  private KillRun() {}

  /** The violations by rule. */
  static Map<Rule, Violation> of(Class<?> suite, long seed) {
    return of(suite, seed, EnumSet.allOf(Rule.class));
  }

  /** The violations of some rules. */
  static Map<Rule, Violation> of(Class<?> suite, long seed, Set<Rule> rules) {
    List<DiscoverySelector> properties =
        RuleMethods.of(suite).entrySet().stream()
            .filter(entry -> rules.contains(entry.getKey()))
            .map(Map.Entry::getValue)
            .map(method -> selectMethod(suite, method))
            .<DiscoverySelector>map(selector -> selector)
            .toList();
    String before = System.getProperty(SEED);
    System.setProperty(SEED, String.valueOf(seed));
    try {
      Map<Rule, Violation> violations = new EnumMap<>(Rule.class);
      // The kit does not read what Surefire sets. With a database a run would begin with the seed
      // of the last that failed.
      EngineTestKit.engine("jqwik")
          .selectors(properties.toArray(DiscoverySelector[]::new))
          .configurationParameter("jqwik.database", "")
          .configurationParameter("jqwik.reporting.onlyfailures", "true")
          .configurationParameter("jqwik.reporting.usejunitplatform", "true")
          .execute()
          .testEvents()
          .failed()
          .stream()
          .map(event -> event.getRequiredPayload(TestExecutionResult.class))
          .map(result -> result.getThrowable().orElseThrow())
          .forEach(
              thrown -> {
                if (thrown instanceof Violation violation) {
                  violations.put(violation.rule(), violation);
                } else {
                  throw new AssertionError("not a violation, " + suite.getSimpleName(), thrown);
                }
              });
      return violations;
    } finally {
      if (before == null) {
        System.clearProperty(SEED);
      } else {
        System.setProperty(SEED, before);
      }
    }
  }

  /** For a look from the command line: the seeds, then parts of names. */
  public static void main(String[] args) {
    String[] range = args[0].split("-");
    for (Class<?> group :
        new Class<?>[] {
          FixedWindowMutants.class,
          SlidingWindowMutants.class,
          SlidingWindowCounterMutants.class,
          TokenBucketMutants.class,
          MutantFixedWindow.class,
          MutantSlidingWindow.class,
          MutantSlidingWindowCounter.class,
          MutantTokenBucket.class
        }) {
      for (Class<?> mutant : group.getDeclaredClasses()) {
        if (args.length > 1 && !mutant.getSimpleName().matches(args[1])) {
          continue;
        }
        long start = System.nanoTime();
        Map<Rule, Integer> found = new EnumMap<>(Rule.class);
        Map<Rule, Integer> longest = new EnumMap<>(Rule.class);
        long seeds = Long.parseLong(range[1]) - Long.parseLong(range[0]) + 1;
        for (long seed = Long.parseLong(range[0]); seed <= Long.parseLong(range[1]); seed++) {
          of(mutant, seed)
              .forEach(
                  (rule, violation) -> {
                    found.merge(rule, 1, Integer::sum);
                    longest.merge(rule, violation.length(), Math::max);
                    if (args.length > 2) {
                      System.out.println(violation.getMessage() + "\n");
                    }
                  });
        }
        StringBuilder line = new StringBuilder();
        found.forEach(
            (rule, times) ->
                line.append(rule.id())
                    .append(times == seeds ? "" : "(" + times + "/" + seeds + ")")
                    .append(longest.get(rule) > 6 ? "!" + longest.get(rule) : "")
                    .append(' '));
        System.out.printf(
            "%-30s %5d ms  %s%n",
            mutant.getSimpleName(), (System.nanoTime() - start) / 1_000_000, line);
      }
    }
  }
}
