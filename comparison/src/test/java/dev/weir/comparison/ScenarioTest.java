package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioTest {

  private static final Quota QUOTA = Quota.parse("100/60s");
  private static final Instant BORDER = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void theBoundaryBurstHasOneRequestEveryTenMillisecondsOnBothSidesOfTheBorder() {
    List<Instant> times = times(Scenario.BOUNDARY_BURST, QUOTA);
    assertThat(times).hasSize(200);
    for (int i = 0; i < 200; i++) {
      assertThat(times.get(i)).isEqualTo(BORDER.plusMillis(-1000 + 10 * i));
    }
  }

  @Test
  void theAdversaryTakesTheLimitBeforeTheBorderAndTwiceThatInTheNextWindow() {
    List<Instant> times = times(Scenario.ADVERSARY, QUOTA);
    assertThat(times).hasSize(300);
    assertThat(times.subList(0, 100)).containsOnly(BORDER.minusMillis(1));
    for (int i = 0; i < 200; i++) {
      assertThat(times.get(100 + i)).isEqualTo(BORDER.plusMillis(300 * i));
    }
  }

  @Test
  void theHerdComesAtThreeBorders() {
    List<Instant> times = times(Scenario.HERD, QUOTA);
    assertThat(times).hasSize(1500);
    for (int i = 0; i < 1500; i++) {
      assertThat(times.get(i)).isEqualTo(BORDER.plusSeconds(60 * (i / 500)));
    }
  }

  @Test
  void steadyTrafficIsNineTenthsOfTheLimitInEachOfTenWindows() {
    List<Instant> times = times(Scenario.STEADY, QUOTA);
    for (int window = 0; window < 10; window++) {
      Instant start = BORDER.plusSeconds(60 * window);
      assertThat(times)
          .filteredOn(time -> !time.isBefore(start) && time.isBefore(start.plusSeconds(60)))
          .hasSize(90);
    }
    assertThat(times).hasSize(900);
  }

  @Test
  void onOffTrafficIsTwiceTheLimitInTheFirstSixthOfThirtyWindows() {
    List<Instant> times = times(Scenario.ON_OFF, QUOTA);
    assertThat(times).hasSize(6000);
    for (int i = 0; i < 6000; i++) {
      assertThat(times.get(i))
          .isEqualTo(BORDER.plusSeconds(60 * (i / 200)).plusMillis(50 * (i % 200)));
    }
  }

  @Test
  void randomArrivalsFollowFromTheSeedAndNameTheirGenerator() {
    TraceFacts facts = Scenario.POISSON.trace(QUOTA, 1).facts();
    assertThat(Scenario.POISSON.trace(QUOTA, 1).facts()).isEqualTo(facts);
    assertThat(Scenario.POISSON.trace(QUOTA, 2).facts().sha256()).isNotEqualTo(facts.sha256());
    assertThat(facts.generator()).isEqualTo("L64X128MixRandom seed 1");
    // 3,600 are expected, with a standard deviation of 60
    assertThat(facts.events()).isBetween(3_300L, 3_900L);
    assertThat(facts.last()).isBefore(BORDER.plusSeconds(1800));
  }

  @Test
  void theClockStepsBackAfterEachThirdByMoreAndMore() {
    Trace.Cursor cursor = Scenario.CLOCK_BACK.trace(QUOTA, 1).cursor();
    List<Long> offsets = new ArrayList<>();
    long before = Long.MIN_VALUE;
    int events = 0;
    while (cursor.next()) {
      long offset = (cursor.clockMicros() - cursor.timeMicros()) / 1_000_000;
      if (offsets.isEmpty() || offsets.get(offsets.size() - 1) != offset) {
        offsets.add(offset);
        assertThat(events % 300).isZero();
      }
      assertThat(cursor.timeMicros()).isGreaterThan(before);
      before = cursor.timeMicros();
      events++;
    }
    assertThat(offsets).containsExactly(0L, -1L, -31L, -631L);
    assertThat(events).isEqualTo(1200);
  }

  @Property(tries = 200)
  void everyScenarioHoldsForEveryQuota(
      @ForAll Scenario scenario,
      @ForAll @IntRange(min = 1, max = 50) int limit,
      @ForAll @LongRange(min = 1_000, max = 366L * 86_400_000_000L) long windowMicros) {
    Quota quota = Quota.of(limit, Duration.ofNanos(1_000 * windowMicros));
    TraceFacts facts = scenario.trace(quota, 1).facts();
    assertThat(facts.outOfOrder()).isZero();
    if (scenario != Scenario.POISSON) {
      assertThat(facts.events()).isEqualTo(scenario.events(limit));
    }
    Instant border = facts.first().plus(quota.window());
    assertThat(facts.first())
        .isAfterOrEqualTo(BORDER.minus(quota.window().dividedBy(60)).minusMillis(1));
    assertThat(facts.last()).isBefore(border.plus(quota.window().multipliedBy(32)));
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void namesAreTheirOwnInverse(Scenario scenario) {
    assertThat(Scenario.named(scenario.label())).isEqualTo(scenario);
  }

  @Test
  void anUnknownNameAndTooHighALimitAreRefused() {
    assertThatThrownBy(() -> Scenario.named("burst"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("scenario is 'burst', must be one of steady, boundary-burst,");
    assertThatThrownBy(() -> Scenario.HERD.trace(Quota.parse("1000000000000/1s"), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be at most 10000000: take a lower limit");
  }

  private static List<Instant> times(Scenario scenario, Quota quota) {
    List<Instant> times = new ArrayList<>();
    Trace.Cursor cursor = scenario.trace(quota, 1).cursor();
    while (cursor.next()) {
      assertThat(cursor.clockMicros()).isEqualTo(cursor.timeMicros());
      assertThat(cursor.permits()).isEqualTo(1);
      times.add(Lane.time(cursor.timeMicros()));
    }
    return times;
  }
}
