package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Quota;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "boundary-burst, 200, 100, 101, 103",
    "adversary, 200, 100, 199, 199",
    "herd, 300, 300, 200, 300",
    "steady, 900, 900, 900, 900"
  })
  void scenariosAdmitTheKnownNumbers(
      String name, long fixed, long sliding, long counter, long bucket) {
    ComparisonResult result =
        Comparison.of(Scenario.named(name).trace(Quota.parse("100/60s"), 1)).run();
    assertThat(result.results())
        .extracting(Result::algorithm, Result::admitted)
        .containsExactly(
            tuple("fixed-window", fixed),
            tuple("sliding-window", sliding),
            tuple("sliding-window-counter", counter),
            tuple("token-bucket", bucket));
    for (Result each : result.results()) {
      assertThat(each.offered()).isEqualTo(each.admitted() + each.denied());
      assertThat(each.retryAfter().honest()).isEqualTo(each.retryAfter().told());
      assertThat(each.retryAfter().tight()).isEqualTo(each.retryAfter().told());
      assertThat(each.retryAfter().told()).isEqualTo(each.denied());
    }
  }

  @Property(tries = 200)
  void theSlidingWindowAdmitsAsCountingByHandDoes(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 20) Integer> seconds,
      @ForAll @IntRange(min = 1, max = 4) int limit) {
    if (seconds.isEmpty()) {
      return;
    }
    Trace.Builder trace = Trace.builder("random");
    seconds.forEach(second -> trace.add(START.plusSeconds(second), "k" + second % 2, 1));
    Map<String, List<Integer>> admitted = new HashMap<>();
    long count = 0;
    for (int second : seconds.stream().sorted().toList()) {
      List<Integer> of = admitted.computeIfAbsent("k" + second % 2, k -> new ArrayList<>());
      if (of.stream().filter(then -> then > second - 5).count() < limit) {
        of.add(second);
        count++;
      }
    }
    Result result =
        Comparison.of(trace.build())
            .with(Quota.parse(limit + "/5s"))
            .algorithms(List.of("sliding-window"))
            .run()
            .results()
            .get(0);
    assertThat(result.admitted()).isEqualTo(count);
    assertThat(result.falseDenials()).isZero();
    assertThat(result.overAdmissions()).isZero();
  }

  @Test
  void aWaitThatIsTooShortIsNotHonestAndOneThatIsTooLongIsNotTight() {
    Trace trace =
        Trace.builder("three")
            .add(START, "a", 1)
            .add(START.plusMillis(10), "a", 1)
            .add(START.plusMillis(1_500), "a", 1)
            .build();
    List<Result> results =
        Comparison.of(trace)
            .stores(List.of(ForeignProviders.STORE))
            .algorithms(List.of("liar", "dawdler"))
            .run()
            .results();
    assertThat(results).extracting(Result::algorithm).containsExactly("dawdler", "liar");
    // The dawdler denies the second request only; 1.01 s later, not 2 s, it would be admitted.
    assertThat(results.get(0).retryAfter()).isEqualTo(new Result.RetryAfter(1, 1, 0, 2_000));
    // The liar denies the third too, which 1 s later is admitted; at 1 s it had been too early.
    assertThat(results.get(1).retryAfter()).isEqualTo(new Result.RetryAfter(2, 1, 1, 1_000));
  }

  @Test
  void requestsForMoreThanTheLimitTellNoWait() {
    Trace trace = Trace.builder("large").add(START, "a", 11).build();
    for (Result result : Comparison.of(trace).with(Quota.parse("10/1s")).run().results()) {
      assertThat(result.denied()).isEqualTo(1);
      assertThat(result.falseDenials()).isZero();
      assertThat(result.worstWindow()).isNull();
      assertThat(result.retryAfter()).isEqualTo(new Result.RetryAfter(0, 0, 0, 0));
      assertThat(result.retryAfter().honestPercent()).isEqualTo(OptionalDouble.empty());
    }
  }

  @Test
  void theMeanWaitIsRoundedHalfUp() {
    // Denied at 0.0005 s and at 0.001 s of a window of 10 ms: 9.5 ms and 9 ms, the mean is 9.25.
    assertThat(meanTold(500, 1_000)).isEqualTo(9);
    assertThat(meanTold(500, 500)).isEqualTo(10);
    assertThat(meanTold(501, 501)).isEqualTo(9);
  }

  private static long meanTold(long firstMicros, long secondMicros) {
    Trace trace =
        Trace.builder("mean")
            .add(START, "a", 1)
            .add(START.plusNanos(1_000 * firstMicros), "a", 1)
            .add(START.plusNanos(1_000 * secondMicros), "a", 1)
            .build();
    return Comparison.of(trace)
        .with(Quota.parse("1/10ms"))
        .algorithms(List.of("sliding-window"))
        .run()
        .results()
        .get(0)
        .retryAfter()
        .meanToldMillis();
  }

  @Test
  void storesThatDisagreeAreAnErrorThatShowsTheEvent() {
    Trace.Builder trace = Trace.builder("five");
    for (int i = 0; i < 5; i++) {
      trace.add(START.plusSeconds(i), "a", 1);
    }
    Comparison comparison =
        Comparison.of(trace.build())
            .stores(List.of("memory", ForeignProviders.STORE))
            .algorithms(List.of("fixed-window"));
    assertThatThrownBy(comparison::run)
        .isInstanceOf(StoresDisagreeException.class)
        .hasMessageContaining(
            "disagree on fixed-window at event 3 (time 2026-01-01T00:00:02Z, clock"
                + " 2026-01-01T00:00:02Z, key 'a', permits 1): ")
        .hasMessageContaining("memory says Decision[allowed=true, limit=100, remaining=97")
        .hasMessageContaining("foreign says Decision[allowed=true, limit=100, remaining=0");
  }

  @Test
  void anUnknownAlgorithmOrStoreIsRefusedWithTheNamesThatAreThere() {
    Comparison comparison = Comparison.of(Scenario.HERD.trace(Quota.parse("1/1s"), 1));
    assertThatThrownBy(() -> comparison.algorithms(List.of("leaky")).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "algorithm 'leaky' is not on the class path, which has fixed-window, sliding-window,"
                + " sliding-window-counter, token-bucket");
    assertThatThrownBy(() -> comparison.stores(List.of("disk")).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("store 'disk' is not on the class path, which has foreign, memory, redis");
  }

  @Test
  void theJsonHasTheFieldsOfTheSchemaInTheirOrder() {
    ComparisonResult result =
        Comparison.of(Scenario.BOUNDARY_BURST.trace(Quota.parse("2/60s"), 1))
            .with(Quota.parse("2/60s"))
            .algorithms(List.of("fixed-window"))
            .run();
    assertThat(result.toJson("weir scenario boundary-burst"))
        .isEqualTo(
            """
            {
              "schema": "weir-comparison/1",
              "command": "weir scenario boundary-burst",
              "trace": {
                "name": "boundary-burst",
                "events": 4,
                "keys": 1,
                "first": "2025-12-31T23:59:59Z",
                "last": "2026-01-01T00:00:00.500Z",
                "skipped": 0,
                "out_of_order": 0,
                "sha256": "%s"
              },
              "limit": {
                "limit": 2,
                "window_ms": 60000
              },
              "results": [
                {
                  "algorithm": "fixed-window",
                  "store": "memory",
                  "offered": 4,
                  "admitted": 4,
                  "denied": 0,
                  "worst_window": {
                    "count": 4,
                    "ratio": 2.0,
                    "key": "client",
                    "from": "2025-12-31T23:59:00.500Z",
                    "to": "2026-01-01T00:00:00.500Z"
                  },
                  "over_admissions": 2,
                  "false_denials": 0,
                  "retry_after": {
                    "honest_percent": null,
                    "tight_percent": null,
                    "mean_told_ms": null
                  },
                  "state_bytes_per_key": null,
                  "commands_per_decision": null
                }
              ]
            }
            """
                .formatted(
                    // sha256sum of the lines "microseconds,client,1"
                    result.trace().sha256()));
  }

  @Test
  void theDigestOfAMadeTraceIsThatOfItsEventsAsLines() throws Exception {
    Trace trace = Trace.builder("two").add(START, "a", 1).add(START.plusMillis(1), "b", 2).build();
    byte[] text = "1767225600000000,a,1\n1767225600001000,b,2\n".getBytes(StandardCharsets.UTF_8);
    assertThat(trace.facts().sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text)));
  }

  @Test
  void aTraceRefusesWhatNoLimiterWouldTake() {
    Trace.Builder trace = Trace.builder("bad");
    assertThatThrownBy(() -> trace.add(START, "", 1)).hasMessageContaining("key is empty");
    assertThatThrownBy(() -> trace.add(START, "a", 0)).hasMessageContaining("permits is 0");
    assertThatThrownBy(() -> trace.add(Instant.EPOCH.minusSeconds(1), "a", 1))
        .hasMessageContaining("must be from 1970");
    assertThatThrownBy(trace::build).hasMessageContaining("has no events");
  }
}
