package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class StepCurveTest {

  @Property
  void noExtremeAndNoLastValueIsLost(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 200) Integer> times) {
    List<Integer> sorted = times.stream().sorted().toList();
    StepCurve curve = new StepCurve(50, 150, 10);
    for (int i = 0; i < sorted.size(); i++) {
      curve.set(sorted.get(i), value(i));
    }
    long current = 0;
    long peak = 0;
    for (int i = 0; i < sorted.size(); i++) {
      current = sorted.get(i) < 50 ? value(i) : current;
    }
    assertThat(curve.initial()).isEqualTo(current);
    peak = current;
    for (int column = 0; column < 10; column++) {
      long least = Long.MAX_VALUE;
      long greatest = Long.MIN_VALUE;
      long last = -1;
      for (int i = 0; i < sorted.size(); i++) {
        if (sorted.get(i) >= 50 && (sorted.get(i) - 50) / 10 == column) {
          least = Math.min(least, value(i));
          greatest = Math.max(greatest, value(i));
          last = value(i);
        }
      }
      assertThat(curve.isChanged(column)).isEqualTo(last >= 0);
      if (last >= 0) {
        assertThat(curve.least(column)).isEqualTo(least);
        assertThat(curve.greatest(column)).isEqualTo(greatest);
        assertThat(curve.last(column)).isEqualTo(last);
        peak = Math.max(peak, greatest);
      }
    }
    assertThat(curve.peak()).isEqualTo(peak);
  }

  @Property
  void binsHoldEveryRequestOnceWhateverTheirSpan(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 1_000_000) Integer> times,
      @ForAll @IntRange(min = 0, max = 1_000) int end) {
    TimeBins bins = new TimeBins(0, end);
    times.forEach(time -> bins.add(time, time % 2 == 0));
    for (int bin = 0; bin < TimeBins.BINS; bin++) {
      long from = bin * bins.width();
      long to = from + bins.width();
      assertThat(bins.offered(bin))
          .isEqualTo(times.stream().filter(time -> time >= from && time < to).count());
      assertThat(bins.admitted(bin))
          .isEqualTo(
              times.stream().filter(time -> time >= from && time < to && time % 2 == 0).count());
    }
    assertThat(times).allMatch(time -> time < bins.end());
  }

  private static long value(int step) {
    return (step * 37L) % 101;
  }
}
