package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindowPolicy;
import dev.weir.conformance.internal.ComposedScenarios;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.jqwik.Generated;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {

  @Property
  void whateverIsGeneratedIsReadBackAsItWas(@Generated Draft draft, @ForAll Rule rule) {
    if (rule == Rule.SUITE_FINDS_THE_FLAW) {
      return;
    }
    Scenario scenario =
        ComposedScenarios.of(FixedWindowPolicy.of(3, Duration.ofSeconds(1)), rule, draft);
    assertThat(Scenario.parse(scenario.toString())).isEqualTo(scenario);
  }

  @Test
  void everyStepHasANotation() {
    String text =
        "from 2026-01-01T00:00:00.000001Z: acquire a 3; acquire a 3 async; acquire a rest;"
            + " acquire a rest+1; again; peek \"a b\" 1; reset null; advance 999999us;"
            + " advance to retry-1us; advance to reset; advance to border+1us; back 1d; forward 1h;"
            + " limit 2; together (acquire a 1, acquire b -1 async); repeat 2 (acquire a 1; advance"
            + " 1s); store cut; store lose-reply; store restore; count";
    assertThat(Scenario.parse(text)).hasToString(text);
  }

  @Property
  void anyStringIsAKey(@ForAll String key) {
    Scenario scenario = Scenario.parse("from 1970-01-01T00:00:00Z: acquire a 1");
    Scenario other =
        new Scenario(scenario.start(), java.util.List.of(new Step.Acquire(key, 1, false)));
    assertThat(Scenario.parse(other.toString())).isEqualTo(other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acquire a 1                                       | must be like 'from",
        "from yesterday: acquire a 1                       | must be like 'from",
        "from 2026-13-01T00:00:00Z: acquire a 1            | start is",
        "from 2026-01-01T00:00:00Z: borrow a 1             | token 1 is 'borrow', expected a step",
        "from 2026-01-01T00:00:00Z: acquire a              | the end, expected a number",
        "from 2026-01-01T00:00:00Z: acquire a many         | token 3 is 'many', expected a number",
        "from 2026-01-01T00:00:00Z: acquire a resting      | expected rest or rest+NUMBER",
        "from 2026-01-01T00:00:00Z: advance 1 s            | duration is '1'",
        "from 2026-01-01T00:00:00Z: advance to dawn        | expected retry, reset or border",
        "from 2026-01-01T00:00:00Z: together (again)       | expected an acquire with a number",
        "from 2026-01-01T00:00:00Z: store burn             | expected cut, lose-reply or restore",
        "from 2026-01-01T00:00:00Z: acquire a 1 acquire b  | expected ';' or the end"
      })
  void whatCannotBeReadIsNamed(String text, String message) {
    assertThatThrownBy(() -> Scenario.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
