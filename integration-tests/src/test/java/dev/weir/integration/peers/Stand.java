package dev.weir.integration.peers;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Violation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the suite on a peer, as an author would, always with the same traces. */
final class Stand {

  static final String SEED = "20261202";

  private static final Pattern PROPERTY = Pattern.compile("rule(\\w+?)_(\\d+)_.*");

  private Stand() {}

  /** The rules that were run, each with its violation if it is broken. */
  static Map<Rule, Optional<Violation>> run(Peer peer) {
    Map<Rule, Optional<Violation>> results = new EnumMap<>(Rule.class);
    for (Peer.Part part : peer.parts()) {
      run(part.suite(), peer.tries(), rule -> part.isFor(rule, peer))
          .forEach(
              (rule, result) ->
                  results.merge(
                      rule, result, (earlier, later) -> earlier.isPresent() ? earlier : later));
    }
    return results;
  }

  private static Map<Rule, Optional<Violation>> run(
      Class<?> suite, int tries, Predicate<Rule> rules) {
    String triesBefore = System.setProperty("weir.conformance.tries", String.valueOf(tries));
    String seedBefore = System.setProperty("weir.conformance.seed", SEED);
    try {
      PostDiscoveryFilter filter =
          test -> FilterResult.includedIf(rule(test).map(rules::test).orElse(true));
      List<Event> finished =
          EngineTestKit.engine("jqwik")
              .selectors(selectClass(suite))
              .filters(filter)
              // The kit does not read what Surefire sets.
              .configurationParameter("jqwik.database", "target/kit-database")
              .configurationParameter("jqwik.reporting.onlyfailures", "true")
              .configurationParameter("jqwik.reporting.usejunitplatform", "true")
              .execute()
              .testEvents()
              .finished()
              .list();
      Map<Rule, Optional<Violation>> results = new EnumMap<>(Rule.class);
      for (Event event : finished) {
        Optional<Throwable> thrown =
            event.getRequiredPayload(TestExecutionResult.class).getThrowable();
        if (thrown.isPresent() && !(thrown.get() instanceof Violation)) {
          throw new AssertionError(suite.getSimpleName() + " could not be run", thrown.get());
        }
        results.put(
            rule(event.getTestDescriptor()).orElseThrow(), thrown.map(Violation.class::cast));
      }
      return results;
    } finally {
      restore("weir.conformance.tries", triesBefore);
      restore("weir.conformance.seed", seedBefore);
    }
  }

  private static void restore(String property, String before) {
    if (before == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, before);
    }
  }

  private static Optional<Rule> rule(TestDescriptor test) {
    if (test.getSource().orElse(null) instanceof MethodSource method) {
      Matcher matcher = PROPERTY.matcher(method.getMethodName());
      if (matcher.matches()) {
        return Optional.of(Rule.of(matcher.group(1) + "." + matcher.group(2)));
      }
    }
    return Optional.empty();
  }
}
