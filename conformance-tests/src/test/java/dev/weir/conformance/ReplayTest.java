package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.conformance.mutants.FaultySuites;
import dev.weir.conformance.mutants.Suites;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The replay line of a report does again what the report shows, in an ordinary test. */
class ReplayTest {

  private static final Pattern LINE = Pattern.compile("replay\\(\"(.*)\"\\);");

  @Test
  void theLineOfEveryReportFailsWithTheSameReport() {
    RateLimiterConformance<?> suite = FaultySuites.countsDenials();
    Map<Rule, Violation> violations = Suites.run(suite.getClass(), 1);
    // Which of several threads comes first is chance.
    violations.remove(Rule.THREADS);
    assertThat(violations.values())
        .isNotEmpty()
        .allSatisfy(
            violation ->
                assertThatThrownBy(() -> suite.replay(line(violation)))
                    .isInstanceOf(Violation.class)
                    .hasMessage(violation.getMessage()));
  }

  @Test
  void theLineOfAReportPassesOnceTheFaultIsMended() {
    Suites.run(FaultySuites.countsDenials().getClass(), 1)
        .values()
        .forEach(
            violation ->
                assertThatCode(() -> FaultySuites.countsAdmissionsOnly().replay(line(violation)))
                    .doesNotThrowAnyException());
  }

  @Test
  void aLineThatCannotBeReadIsRefused() {
    assertThatThrownBy(() -> FaultySuites.countsAdmissionsOnly().replay("1.3, please"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be 'RULE | POLICY | SCENARIO'");
    assertThatThrownBy(
            () ->
                FaultySuites.countsAdmissionsOnly()
                    .replay("9.9 | p | from 2026-01-01T00:00:00Z: again"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no rule '9.9'");
    assertThatThrownBy(
            () ->
                FaultySuites.countsAdmissionsOnly()
                    .replay("1.1 | p | from 2026-01-01T00:00:00Z: again"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("policy is 'p', must be one of policies()");
  }

  /** The text that Java makes of the literal in the report. */
  private static String line(Violation violation) {
    Matcher matcher = LINE.matcher(violation.getMessage());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1).replace("\\\"", "\"").replace("\\\\", "\\");
  }
}
