package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WindowMeterTest {

  record Decided(int key, long time, long permits, boolean allowed) {}

  @Property
  void figuresEqualThoseOfCountingEveryWindowAnew(
      @ForAll("traces") List<Decided> trace,
      @ForAll @IntRange(min = 1, max = 8) int limit,
      @ForAll @IntRange(min = 1, max = 12) int window) {
    WindowMeter meter = new WindowMeter(limit, window);
    long over = 0;
    long falseDenials = 0;
    long worst = 0;
    Decided worstAt = null;
    List<Decided> admitted = new ArrayList<>();
    for (Decided event : trace) {
      long used = count(admitted, event.key, event.time - window, event.time);
      boolean fits = used + event.permits <= limit;
      if (event.allowed) {
        over += fits ? 0 : 1;
        admitted.add(event);
        if (used + event.permits > worst) {
          worst = used + event.permits;
          worstAt = event;
        }
      } else {
        falseDenials += fits ? 1 : 0;
      }
      meter.decided(event.key, event.time, event.permits, event.allowed);
    }
    assertThat(meter.overAdmissions()).isEqualTo(over);
    assertThat(meter.falseDenials()).isEqualTo(falseDenials);
    assertThat(meter.worstCount()).isEqualTo(worst);
    if (worstAt != null) {
      assertThat(meter.worstKey()).isEqualTo(worstAt.key);
      assertThat(meter.worstTime()).isEqualTo(worstAt.time);
    }
    for (int key = 0; key < 70; key++) {
      assertThat(meter.peak(key)).isEqualTo(peak(admitted, key, window));
    }
  }

  @Test
  void aPermitExactlyOneWindowOldDoesNotCount() {
    WindowMeter meter = new WindowMeter(1, 10);
    meter.decided(0, 100, 1, true);
    meter.decided(0, 110, 1, true);
    assertThat(meter.worstCount()).isEqualTo(1);
    meter.decided(0, 119, 1, true);
    assertThat(meter.worstCount()).isEqualTo(2);
  }

  @Test
  void theFirstKeyInTimeWinsATie() {
    WindowMeter meter = new WindowMeter(5, 10);
    meter.decided(1, 100, 2, true);
    meter.decided(0, 101, 2, true);
    assertThat(meter.worstKey()).isEqualTo(1);
    assertThat(meter.worstTime()).isEqualTo(100);
  }

  private static long count(List<Decided> admitted, int key, long after, long until) {
    return admitted.stream()
        .filter(e -> e.key == key && e.time > after && e.time <= until)
        .mapToLong(Decided::permits)
        .sum();
  }

  private static long peak(List<Decided> admitted, int key, long window) {
    return admitted.stream()
        .mapToLong(e -> count(admitted, key, e.time - window, e.time))
        .max()
        .orElse(0);
  }

  @Provide
  Arbitrary<List<Decided>> traces() {
    Arbitrary<Integer> keys =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.integers().between(0, 2)), Tuple.of(1, Arbitraries.just(69)));
    return Combinators.combine(
            keys,
            Arbitraries.longs().between(0, 4),
            Arbitraries.longs().between(1, 3),
            Arbitraries.of(true, true, false))
        .as(Decided::new)
        .list()
        .ofMaxSize(60)
        .map(
            steps -> {
              List<Decided> trace = new ArrayList<>();
              long time = 0;
              for (Decided step : steps) {
                time += step.time;
                trace.add(new Decided(step.key, time, step.permits, step.allowed));
              }
              return trace;
            });
  }
}
