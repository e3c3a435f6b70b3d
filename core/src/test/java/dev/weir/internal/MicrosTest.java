package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MicrosTest {

  @Test
  void timesCountFrom1970RoundedDown() {
    assertThat(Micros.of(Instant.EPOCH)).isZero();
    assertThat(Micros.of(Instant.ofEpochSecond(1, 1_999))).isEqualTo(1_000_001);
  }

  @Test
  void theLastTimeIsInTheYear2255() {
    Instant last = Instant.parse("2255-06-05T23:47:34.740992Z");
    assertThat(Micros.of(last)).isEqualTo(Micros.MAX_TIME);
    for (Instant wrong :
        new Instant[] {
          last.plusNanos(1_000), Instant.EPOCH.minusNanos(1), Instant.MIN, Instant.MAX
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Micros.of(wrong))
          .withMessageContaining("the clock says " + wrong)
          .withMessageContaining("2255-06-05T23:47:34.740992Z");
    }
  }

  @Test
  void durationsConvertBothWays() {
    assertThat(Micros.of(Duration.ofMillis(1_500))).isEqualTo(1_500_000);
    assertThat(Micros.toDuration(1_500_000)).isEqualTo(Duration.ofMillis(1_500));
    assertThat(Micros.toDuration(0)).isSameAs(Duration.ZERO);
  }
}
