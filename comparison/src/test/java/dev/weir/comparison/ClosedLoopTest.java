package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedLoopTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    // 100 clients, 10 a minute. Windows: 100 + 90 + ... + 10 tries; the tenth window starts at 9
    // min.
    "fixed-window, obey, 550, 540000",
    "sliding-window, obey, 550, 540000",
    // Every 6 s one token, for which all that are left come: 100 + 90 + 89 + ... + 1.
    "token-bucket, obey, 4195, 540000",
    // All that are left come every 20 s, three times a window: 100 + 3 * (90 + 80 + ... + 10).
    "fixed-window, hammer:20s, 1450, 540000"
  })
  void theRetryStormTakesTheTriesThatArithmeticSays(
      String algorithm, String clients, long attempts, long longest) {
    Quota quota = Quota.parse("10/60s");
    Result result =
        Comparison.of(Scenario.RETRY_STORM.trace(quota, 1))
            .with(quota)
            .with(Clients.parse(clients))
            .algorithms(List.of(algorithm))
            .run()
            .results()
            .get(0);
    Result.Persistence persistence = result.persistence();
    assertThat(persistence).isNotNull();
    assertThat(persistence.requests()).isEqualTo(100);
    assertThat(persistence.admitted()).isEqualTo(100);
    assertThat(persistence.gaveUp()).isZero();
    assertThat(persistence.attempts()).isEqualTo(attempts).isEqualTo(result.offered());
    assertThat(persistence.attemptsPerSuccess()).hasValue(attempts / 100.0);
    assertThat(persistence.longestWaitMillis()).isEqualTo(longest);
    assertThat(result.denied()).isEqualTo(attempts - 100);
  }

  @Property(tries = 100)
  void obedientClientsAreAllServedAndOnlyOnce(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 0, max = 9) Integer> seconds,
      @ForAll @IntRange(min = 1, max = 3) int limit) {
    Trace.Builder trace = Trace.builder("random");
    seconds.forEach(second -> trace.add(START.plusSeconds(second), "k" + second % 2, 1));
    for (Result result :
        Comparison.of(trace.build())
            .with(Quota.of(limit, Duration.ofSeconds(5)))
            .with(Clients.obey())
            .run()
            .results()) {
      assertThat(result.admitted()).isEqualTo(seconds.size());
      assertThat(result.persistence().admitted()).isEqualTo(seconds.size());
      assertThat(result.persistence().requests()).isEqualTo(seconds.size());
      assertThat(result.worstWindow().count()).isLessThanOrEqualTo(2L * limit);
    }
  }

  @Test
  void whoAsksForTooMuchGivesUpAtOnce() {
    Trace trace = Trace.builder("large").add(START, "a", 11).add(START, "a", 1).build();
    Result result =
        Comparison.of(trace)
            .with(Quota.parse("10/1s"))
            .with(Clients.hammer(Duration.ofSeconds(1)))
            .algorithms(List.of("sliding-window"))
            .run()
            .results()
            .get(0);
    assertThat(result.persistence())
        .isEqualTo(new Result.Persistence(Clients.hammer(Duration.ofSeconds(1)), 2, 2, 1, 1, 0, 0));
  }

  @Test
  void whoIsNeverAdmittedGivesUpInTheEnd() {
    Trace trace = Trace.builder("two").add(START, "a", 1).add(START, "a", 1).build();
    Result result =
        Comparison.of(trace)
            .with(Quota.parse("1/366d"))
            .with(Clients.hammer(Duration.ofMillis(1)))
            .algorithms(List.of("fixed-window"))
            .run()
            .results()
            .get(0);
    assertThat(result.persistence().attempts()).isEqualTo(1 + ClosedLoop.MOST_TRIES);
    assertThat(result.persistence().gaveUp()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "obey", "hammer:1s", "hammer:250ms", "hammer:2d"})
  void clientsAreReadBackFromTheirText(String text) {
    assertThat(Clients.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "closed", "hammer", "hammer:", "hammer:0s", "hammer:1y", "obey:1s"})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> Clients.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "clients are '" + text + "', must be open, obey or hammer:INTERVAL like hammer:1s");
  }
}
