package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.mutants.MutantsOfRules;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules, properties, mutants and the document are in step. */
class RulesDocumentTest {

  private static final List<Class<?>> SUITES =
      List.of(
          FixedWindowConformance.class,
          SlidingWindowConformance.class,
          SlidingWindowCounterConformance.class,
          TokenBucketConformance.class);

  private static Map<Rule, Method> methods() {
    Map<Rule, Method> methods = new TreeMap<>();
    SUITES.forEach(suite -> methods.putAll(RuleMethods.of(suite)));
    return methods;
  }

  @Test
  void everyRuleButThatAboutTheSuiteIsVerifiedByOneProperty() {
    assertThat(methods().keySet())
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(Rule.SUITE_FINDS_THE_FLAW)));
  }

  @Test
  void propertiesAreNamedAfterTheNumbersOfTheirRules() {
    methods()
        .forEach(
            (rule, method) ->
                assertThat(method.getName())
                    .startsWith("rule" + rule.id().replace('.', '_') + "_"));
  }

  @Test
  void numbersAndAnchorsAreUnique() {
    assertThat(Arrays.stream(Rule.values()).map(Rule::id)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(Rule.values()).map(Rule::anchor)).doesNotHaveDuplicates();
    assertThat(Rule.values()).allSatisfy(rule -> assertThat(Rule.of(rule.id())).isSameAs(rule));
  }

  @Test
  void rulesThatNeedMoreThanTimeAndWeightsAreOfThatLevel() {
    methods()
        .forEach(
            (rule, method) ->
                assertThat(rule.level())
                    .as(rule.id())
                    .isEqualTo(
                        features(method)
                                .allMatch(
                                    feature ->
                                        feature == Feature.VIRTUAL_TIME
                                            || feature == Feature.WEIGHTS)
                            ? Rule.Level.MUST
                            : Rule.Level.WHEN_DECLARED));
  }

  @Test
  void theDocumentListsEveryRule() throws IOException {
    Written.assertUpToDate("../docs/rules.md", document());
  }

  private static Stream<Feature> features(Method method) {
    Requires requires = method.getAnnotation(Requires.class);
    return requires == null
        ? Stream.empty()
        : Stream.concat(Arrays.stream(requires.value()), Arrays.stream(requires.anyOf()));
  }

  private static String document() {
    List<String> lines = new ArrayList<>();
    lines.add("# Rules");
    lines.add("");
    lines.add(
        "Every limiter of this library keeps these rules, and the [conformance suite](conformance.md)"
            + " checks any limiter for them.");
    lines.add(
        "*life* is the longest time for which a state matters, `Policy.life()`; *lag* is the time of"
            + " a key's last admission minus now,");
    lines.add("above zero only after the clock stepped back. Numbers and anchors are stable.");
    lines.add("");
    lines.add(
        "This page is written by `RulesDocumentTest` from the enum `Rule`. A rule of level MUST holds"
            + " for every limiter, one of level");
    lines.add("WHEN_DECLARED for a limiter that declares the features it needs.");
    Map<Rule, Method> methods = methods();
    for (Rule rule : Rule.values()) {
      lines.add("");
      lines.add("<a id=\"" + rule.anchor() + "\"></a>");
      lines.add("");
      lines.add("## " + rule.id());
      lines.add("");
      lines.add("**" + rule.statement() + "**");
      lines.add("");
      lines.add(rule.intent());
      lines.add("");
      Method method = methods.get(rule);
      if (method == null) {
        lines.add("- Level " + rule.level() + ", checked by `SuiteFindsTheFlawTest`.");
        continue;
      }
      String needs = features(method).map(Feature::name).collect(Collectors.joining(", "));
      lines.add("- Level " + rule.level() + (needs.isEmpty() ? "." : ", needs " + needs + "."));
      lines.add(
          "- Checked by `"
              + method.getDeclaringClass().getSimpleName()
              + "."
              + method.getName()
              + "`.");
      lines.add("- If it is broken: " + rule.hint());
      lines.add(
          "- Broken by "
              + String.join(", ", MutantsOfRules.of(rule))
              + " in the [kill matrix](kill-matrix.md).");
    }
    return String.join("\n", lines) + "\n";
  }
}
