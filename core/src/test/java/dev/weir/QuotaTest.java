package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaTest {

  @Property
  void theTextFormRoundTrips(
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long limit,
      @ForAll @LongRange(min = 1_000, max = 31_622_400_000_000L) long windowMicros,
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long burst) {
    Quota quota =
        new Quota(
            limit,
            Duration.of(windowMicros, ChronoUnit.MICROS),
            burst == 0 ? OptionalLong.empty() : OptionalLong.of(burst));
    assertThat(Quota.parse(quota.toString())).isEqualTo(quota);
  }

  @ParameterizedTest
  @CsvSource({
    "100/1m, 100/1m",
    "100/60s, 100/1m",
    "100/m, 100/1m",
    "' 5 / 10s ', 5/10s",
    "20/1s burst 5, 20/1s burst 5",
    "1/1500us, 1/1500us",
    "1/250ms, 1/250ms",
    "7/36h, 7/36h",
    "7/48h, 7/2d"
  })
  void aTextIsReadAndPrintedWithTheLargestWholeUnit(String text, String printed) {
    assertThat(Quota.parse(text)).hasToString(printed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "100",
        "100/",
        "/1m",
        "100/1",
        "100/1min",
        "-1/1m",
        "1.5/1m",
        "100/1m burst",
        "100/1m burst -2",
        "100/1m burst 2 x",
        "100/1M",
        "٣/1m"
      })
  void aTextOfAnotherFormIsRefusedWithAnExample(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quota.parse(text))
        .withMessageContaining("'" + text + "'")
        .withMessageContaining("such as 100/1m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/1m", "1000000000001/1m", "1/0s", "1/367d", "1/999us", "1/1m burst 0"})
  void aValueOutOfBoundsIsRefusedWithTheTextAndTheBound(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quota.parse(text))
        .withMessageContaining("'" + text + "'")
        .withMessageContaining("must be from 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9999999999999999999/1m", "1/9999999999999999999s", "1/999999999999999999d"})
  void aNumberThatNoLongHoldsIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quota.parse(text))
        .withMessageContaining("too large");
  }

  @Property
  void theSharesOfSoManyNodesExceedTheQuotaOnlyWhereEachHasAtMostOnePermit(
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long limit,
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long burst,
      @ForAll @IntRange(min = 1) int nodes) {
    Quota share = Quota.of(limit, Duration.ofSeconds(1)).withBurst(burst).dividedBy(nodes);
    assertThat(share.window()).isEqualTo(Duration.ofSeconds(1));
    assertIsShare(share.limit(), limit, nodes);
    assertIsShare(share.burst().orElseThrow(), burst, nodes);
  }

  private static void assertIsShare(long share, long whole, long nodes) {
    if (whole < nodes) {
      assertThat(share).isEqualTo(1);
    } else {
      assertThat(share * nodes).isLessThanOrEqualTo(whole).isGreaterThan(whole - nodes);
    }
  }

  @Test
  void aShareOfAQuotaWithoutBurstHasNone() {
    assertThat(Quota.parse("100/1m").dividedBy(3)).isEqualTo(Quota.parse("33/1m"));
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException().isThrownBy(() -> Quota.parse(null));
    assertThatNullPointerException().isThrownBy(() -> new Quota(1, Duration.ofSeconds(1), null));
  }
}
