package dev.weir.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Violation;
import dev.weir.conformance.Written;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The suite finds every mutant, by exactly the rules that are listed for it. */
@Tag("long")
class MutantKillMatrixTest {

  private static final int MOST_LINES = 6;

  /** Reports that are kept as files, for authors to see and for changes to be seen. */
  private static final Map<Class<?>, String> GOLDEN =
      Map.of(
          FixedWindowMutants.CountsDenials.class, "1.3",
          FixedWindowMutants.RebasesIntoTheCurrentWindow.class, "3.1",
          FixedWindowMutants.JoinsNamespaceAndKey.class, "4.3",
          SlidingWindowMutants.TimeIsTheMember.class, "1.1",
          SlidingWindowMutants.WaitsForTheOldestOnly.class, "2.4",
          SlidingWindowMutants.KeepsTotalsWithoutTheModulus.class, "9.1",
          TokenBucketMutants.RoundsTheRefillDown.class, "3.2",
          TokenBucketMutants.MovesTimeBack.class, "10.1");

  private static final Map<Class<?>, Map<Rule, Violation>> RESULTS = new HashMap<>();

  private static Map<Rule, Violation> violations(Class<?> mutant) {
    return RESULTS.computeIfAbsent(mutant, m -> KillRun.of(m, KillMatrix.SEED));
  }

  @TestFactory
  Stream<DynamicTest> everyMutantBreaksExactlyTheRulesListed() {
    return KillMatrix.rows().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name(),
                    () ->
                        assertThat(ids(violations(row.mutant()).keySet()))
                            .isEqualTo(ids(row.reasons().keySet()))));
  }

  @TestFactory
  Stream<DynamicTest> everyReportIsShortAndNamesItsRule() {
    return KillMatrix.rows().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name(),
                    () ->
                        violations(row.mutant())
                            .forEach(
                                (rule, violation) -> {
                                  assertThat(violation.length())
                                      .as(violation.getMessage())
                                      .isBetween(1, MOST_LINES);
                                  assertThat(violation)
                                      .hasMessageStartingWith("Rule " + rule.id() + " is violated")
                                      .hasMessageContaining("replay(\"" + rule.id() + " | ")
                                      .hasMessageContaining("#" + rule.anchor());
                                })));
  }

  @TestFactory
  Stream<DynamicTest> reportsAreAsKept() {
    return GOLDEN.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().getSimpleName()))
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey().getSimpleName(),
                    () ->
                        Written.assertUpToDate(
                            "src/test/resources/reports/" + entry.getKey().getSimpleName() + ".txt",
                            violations(entry.getKey()).get(Rule.of(entry.getValue())).getMessage()
                                + "\n")));
  }

  @TestFactory
  Stream<DynamicTest> whatTheMutantsAreMadeFromIsCorrect() {
    return Stream.of(
            MutantFixedWindow.Correct.class,
            MutantSlidingWindow.Correct.class,
            MutantSlidingWindowCounter.Correct.class,
            MutantTokenBucket.Correct.class)
        .map(
            correct ->
                DynamicTest.dynamicTest(
                    correct.getSuperclass().getSimpleName(),
                    () -> assertThat(violations(correct)).isEmpty()));
  }

  @Test
  void everyMutantHasARow() {
    assertThat(KillMatrix.rows().stream().<Class<?>>map(KillMatrix.Row::mutant))
        .containsExactlyInAnyOrderElementsOf(KillMatrix.mutants());
    assertThat(KillMatrix.rows()).hasSizeGreaterThanOrEqualTo(24);
  }

  @Test
  void everyRuleButThatAboutTheSuiteIsBrokenBySomeMutant() {
    Set<Rule> broken =
        KillMatrix.rows().stream()
            .flatMap(row -> row.reasons().keySet().stream())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
    assertThat(broken)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(Rule.SUITE_FINDS_THE_FLAW)));
  }

  @Test
  void theDocumentShowsTheMatrix() throws IOException {
    Written.assertUpToDate("../docs/kill-matrix.md", document());
  }

  private static Set<String> ids(Set<Rule> rules) {
    return rules.stream()
        .sorted()
        .map(Rule::id)
        .collect(Collectors.toCollection(java.util.LinkedHashSet::new));
  }

  private static String document() {
    List<String> lines = new ArrayList<>();
    lines.add("# Kill matrix");
    lines.add("");
    lines.add(
        "The conformance suite is itself tested with limiters that are wrong on purpose, each with"
            + " one fault that was seen");
    lines.add(
        "in the wild. Which rules a mutant breaks is written by hand, with the reason, in"
            + " `KillMatrix`; `MutantKillMatrixTest`");
    lines.add(
        "runs the suite on every mutant and fails if it finds a rule more or less, or needs more"
            + " than "
            + MOST_LINES
            + " lines to show it.");
    lines.add("This page is written by that test.");
    lines.add("");
    lines.add("## By rule");
    lines.add("");
    lines.add("| rule | broken by |");
    lines.add("|---|---|");
    Map<Rule, List<String>> byRule = new TreeMap<>();
    for (KillMatrix.Row row : KillMatrix.rows()) {
      row.reasons()
          .keySet()
          .forEach(rule -> byRule.computeIfAbsent(rule, r -> new ArrayList<>()).add(row.name()));
    }
    byRule.forEach(
        (rule, mutants) ->
            lines.add(
                "| ["
                    + rule.id()
                    + "](rules.md#"
                    + rule.anchor()
                    + ") | "
                    + String.join(", ", mutants)
                    + " |"));
    lines.add("");
    lines.add("## By mutant");
    for (KillMatrix.Row row : KillMatrix.rows()) {
      lines.add("");
      lines.add("### " + row.name());
      lines.add("");
      lines.add("Seen: " + row.seen() + ".");
      lines.add("");
      row.reasons().forEach((rule, reason) -> lines.add("- " + rule.id() + ": " + reason));
    }
    return String.join("\n", lines) + "\n";
  }
}
