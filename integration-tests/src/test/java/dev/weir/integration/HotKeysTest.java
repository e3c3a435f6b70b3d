package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.SlidingWindowPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HotKeysTest {

  private static final SlidingWindowPolicy FIVE = SlidingWindowPolicy.of(5, Duration.ofSeconds(1));

  @Test
  void countsThePermitsBeyondTheBound() {
    assertThat(overAdmitted(0, 100, 200, 300, 400, 1_002)).isZero();
    assertThat(overAdmitted(0, 100, 200, 300, 400, 990)).isOne();
    assertThat(overAdmitted(0, 100, 200, 300, 400, 950, 960, 970)).isEqualTo(3);
  }

  private static long overAdmitted(long... millis) {
    List<HotKeys.Call> calls =
        LongStream.of(millis)
            .mapToObj(at -> new HotKeys.Call(at * 1_000_000, at * 1_000_000 + 1, 1))
            .toList();
    return HotKeys.overAdmitted(FIVE, calls);
  }
}
