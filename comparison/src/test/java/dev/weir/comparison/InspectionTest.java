package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InspectionTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void peaksAreTheMostPermitsOfAKeyInAnyWindow() {
    Trace.Builder builder = Trace.builder("two keys");
    for (int i = 0; i < 6; i++) {
      builder.add(START.plusSeconds(4 * i), "steady", 1); // 3 in 10 s, 6 in 1 m
    }
    for (int i = 0; i < 5; i++) {
      builder.add(START.plusMillis(500 + 100 * i), "burst", 1); // 5 in 1 s
    }
    Inspection inspection = Inspection.of(builder.build(), List.of("sliding-window"));
    assertThat(inspection.resolution()).isEqualTo(Duration.ofMillis(1));
    assertThat(inspection.busiest())
        .containsExactly(new Inspection.BusyKey("steady", 6), new Inspection.BusyKey("burst", 5));
    assertThat(inspection.peaks())
        .containsExactly(
            new Inspection.Peaks(Duration.ofSeconds(1), 1, 5, 5, 5, "burst"),
            new Inspection.Peaks(Duration.ofSeconds(10), 3, 5, 5, 5, "burst"),
            new Inspection.Peaks(Duration.ofMinutes(1), 5, 6, 6, 6, "steady"),
            new Inspection.Peaks(Duration.ofHours(1), 5, 6, 6, 6, "steady"));
    assertThat(inspection.candidates())
        .extracting(Inspection.Candidate::quota)
        .containsExactly(
            Quota.parse("5/1s"), Quota.parse("5/10s"), Quota.parse("10/1m"), Quota.parse("10/1h"));
  }

  @Test
  void candidatesTellTheRequestsAndKeysThatAreDenied() {
    Trace.Builder builder = Trace.builder("herd");
    for (int key = 0; key < 2_000; key++) {
      builder.add(START, "key" + key, 1);
    }
    for (int i = 0; i < 6; i++) {
      builder.add(START.plusSeconds(1), "key0", 1);
      builder.add(START.plusSeconds(1), "key1", 1);
    }
    Inspection inspection = Inspection.of(builder.build(), List.of("fixed-window"));
    assertThat(inspection.candidates().get(0))
        .isEqualTo(
            new Inspection.Candidate(
                Quota.parse("1/1s"), List.of(new Inspection.Denials("fixed-window", 10, 2))));
    assertThat(inspection.toJson("weir inspect x"))
        .contains("\"schema\": \"weir-inspect/1\"")
        .contains("\"denied_requests\": 10")
        .contains("\"resolution_ms\": 1000");
  }

  @ParameterizedTest
  @CsvSource({
    "1,1",
    "2,2",
    "4,5",
    "6,10",
    "10,10",
    "11,20",
    "21,30",
    "31,50",
    "51,100",
    "501,1000"
  })
  void limitsAreRoundedUpToPlainNumbers(long value, long rounded) {
    assertThat(Inspection.roundUp(value)).isEqualTo(rounded);
  }
}
