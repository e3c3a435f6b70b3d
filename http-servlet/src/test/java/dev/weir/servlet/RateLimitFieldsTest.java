package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/** The fields are checked by a parser that is not ours. */
class RateLimitFieldsTest {

  /** Every length, and the nanoseconds around every border of a second. */
  @Provide
  Arbitrary<Duration> waits() {
    Arbitrary<Long> seconds =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 100),
            Arbitraries.longs().between(0, Long.MAX_VALUE - 2));
    Arbitrary<Long> nanos =
        Arbitraries.oneOf(
            Arbitraries.of(
                0L,
                1L,
                999L,
                1_000L,
                1_000_000L,
                998_999_999L,
                999_000_000L,
                999_999_000L,
                999_999_999L),
            Arbitraries.longs().between(0, 999_999_999));
    return Combinators.combine(seconds, nanos).as(Duration::ofSeconds);
  }

  @Provide
  Arbitrary<Duration> waitsAboveZero() {
    return waits().filter(wait -> !wait.isZero());
  }

  @Property
  void retryAfterIsNeverShorterThanTheLimitersAnswerNorASecondLonger(
      @ForAll("waitsAboveZero") Duration wait) {
    long seconds = RateLimitFields.retryAfter(denied(wait)).getAsLong();

    assertThat(seconds).isBetween(1L, RateLimitFields.MAX_INTEGER);
    if (seconds < RateLimitFields.MAX_INTEGER) {
      assertThat(Duration.ofSeconds(seconds)).isGreaterThanOrEqualTo(wait);
    }
    assertThat(Duration.ofSeconds(seconds - 1)).isLessThan(wait);
  }

  @Property
  void theFieldOfADenialSaysTheSameWaitAsRetryAfter(@ForAll("waitsAboveZero") Duration wait) {
    Decision decision = denied(wait);
    ListElement<?> item = item(RateLimitFields.limitItem("\"p\"", decision));

    assertThat(item.getParams().get("t").get())
        .isEqualTo(RateLimitFields.retryAfter(decision).getAsLong());
  }

  @Property
  void theFieldOfAnAdmissionSaysTheResetRoundedUp(@ForAll("waits") Duration reset) {
    ListElement<?> item = item(RateLimitFields.limitItem("\"p\"", Decision.admitted(5, 3, reset)));

    long seconds = (Long) item.getParams().get("t").get();
    assertThat(item.getParams().get("r").get()).isEqualTo(3L);
    assertThat(seconds).isBetween(0L, RateLimitFields.MAX_INTEGER);
    if (seconds < RateLimitFields.MAX_INTEGER) {
      assertThat(Duration.ofSeconds(seconds)).isGreaterThanOrEqualTo(reset);
    }
    assertThat(Duration.ofSeconds(seconds).minusSeconds(1)).isLessThan(reset.plusNanos(1));
  }

  @Property
  void theResetAsATimeIsTheFirstFullSecondAtWhichItIsOver(
      @ForAll("waits") Duration reset,
      @ForAll @LongRange(max = 9_007_199_254_740_992L) long micros) {
    Instant now =
        Instant.EPOCH.plusSeconds(micros / 1_000_000).plusNanos(micros % 1_000_000 * 1_000);
    long time = RateLimitFields.reset(Decision.admitted(5, 3, reset), now);

    assertThat(time).isBetween(now.getEpochSecond(), RateLimitFields.MAX_INTEGER);
    if (time < RateLimitFields.MAX_INTEGER) {
      assertThat(Instant.ofEpochSecond(time)).isAfterOrEqualTo(now.plus(reset));
      assertThat(Instant.ofEpochSecond(time - 1)).isBefore(now.plus(reset));
    }
  }

  @Property
  void everyNameThatIsTakenIsReadBackAsItWas(
      @ForAll @NotEmpty @CharRange(from = ' ', to = '~') String name) {
    String quoted = RateLimitFields.quoted(name);

    assertThat(item(quoted + ";r=1").get()).isEqualTo(name);
    assertThat(
            item(RateLimitFields.policyItem(quoted, FixedWindowPolicy.of(9, Duration.ofSeconds(2))))
                .get())
        .isEqualTo(name);
  }

  @Property
  void everyOtherNameIsRefused(
      @ForAll @NotEmpty @CharRange(from = 0, to = 0x1f) @CharRange(from = 0x7f, to = 0xffff)
          String wrong) {
    assertThatThrownBy(() -> RateLimitFields.quoted("a" + wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("printable ASCII");
  }

  @Property
  void theWindowOfAPolicyIsSaidWhenItIsOfWholeSeconds(
      @ForAll @LongRange(min = 1, max = 31_622_400_000L) long millis,
      @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long limit) {
    ListElement<?> item =
        item(
            RateLimitFields.policyItem(
                "\"p\"", FixedWindowPolicy.of(limit, Duration.ofMillis(millis))));

    assertThat(item.getParams().get("q").get()).isEqualTo(limit);
    if (millis % 1000 == 0) {
      assertThat(item.getParams().get("w").get()).isEqualTo(millis / 1000);
    } else {
      assertThat(item.getParams().containsKey("w")).isFalse();
    }
  }

  @Example
  void anEmptyNameIsRefused() {
    assertThatThrownBy(() -> RateLimitFields.quoted(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Example
  void whatCanNeverBeAdmittedHasNoWait() {
    Decision never = Decision.denied(5, 5, Decision.NEVER, Duration.ZERO);

    assertThat(RateLimitFields.retryAfter(never)).isEqualTo(OptionalLong.empty());
    assertThat(RateLimitFields.limitItem("\"p\"", never)).isEqualTo("\"p\";r=5");
  }

  @Example
  void aPolicyOfAnUnknownKindHasNoWindow() {
    Policy policy =
        new Policy() {
          @Override
          public long limit() {
            return Long.MAX_VALUE;
          }

          @Override
          public long admissionBound(Duration interval) {
            return Long.MAX_VALUE;
          }

          @Override
          public Duration life() {
            return Duration.ofSeconds(60);
          }
        };
    assertThat(RateLimitFields.policyItem("\"p\"", policy)).isEqualTo("\"p\";q=999999999999999");
  }

  private static Decision denied(Duration wait) {
    return Decision.denied(5, 0, wait, Duration.ofDays(9_999));
  }

  private static ListElement<?> item(String field) {
    return Parser.parseList(field).get().get(0);
  }
}
