package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Violation;
import java.util.EnumSet;
import java.util.Set;

/** Checks a limiter against rules. */
public final class Suite<P extends Policy> {

  private final Subject<P> subject;
  private final Set<Rule> known = EnumSet.noneOf(Rule.class);

  /** Creates the suite of a limiter. */
  public Suite(Subject<P> subject) {
    this.subject = subject;
  }

  /** Checks a rule with the scenario of a draft, and at the first time with the known ones. */
  public void verify(Rule rule, Draft draft) {
    if (known.add(rule)) {
      for (P policy : subject.policies()) {
        Case<P> c = new Case<>(subject, policy);
        KnownScenarios.of(c, rule).forEach(scenario -> verify(rule, c, scenario));
      }
    }
    Case<P> c = new Case<>(subject, Composer.policy(subject.policies(), draft));
    verify(rule, c, Composer.compose(c, rule, draft));
  }

  /** Checks a rule with what the line of a report says. */
  public void replay(String text) {
    String[] parts = text.split("\\|", 2);
    int last = text.lastIndexOf("| from ");
    if (parts.length < 2 || last < 0) {
      throw new IllegalArgumentException(
          "replay is '" + text + "', must be 'RULE | POLICY | SCENARIO'");
    }
    Rule rule = Rule.of(parts[0].strip());
    String policyText = text.substring(text.indexOf('|') + 1, last).strip();
    P policy =
        subject.policies().stream()
            .filter(candidate -> candidate.toString().equals(policyText))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "policy is '" + policyText + "', must be one of policies()"));
    Case<P> c = new Case<>(subject, policy);
    Scenario scenario = Scenario.parse(text.substring(last + 2));
    Finding finding = Judge.of(rule).judge(c, scenario);
    if (finding != null) {
      throw violation(rule, new Shrinker.Broken<>(c, scenario, finding));
    }
  }

  private void verify(Rule rule, Case<P> c, Scenario scenario) {
    Judge judge = Judge.of(rule);
    Finding finding = judge.judge(c, scenario);
    if (finding != null) {
      throw violation(rule, Shrinker.shrink(judge, new Shrinker.Broken<>(c, scenario, finding)));
    }
  }

  private static Violation violation(Rule rule, Shrinker.Broken<?> broken) {
    return new Violation(
        rule,
        broken.scenario(),
        Report.length(broken.finding()),
        Report.on(broken.c(), rule, broken.scenario(), broken.finding()));
  }
}
