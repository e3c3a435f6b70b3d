package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeParserTest {

  private static final List<DateTimeFormatter> FORMS =
      List.of(
          DateTimeFormatter.ISO_OFFSET_DATE_TIME,
          DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS Z", Locale.ROOT),
          DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss,SSSSSSXXX", Locale.ROOT),
          DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss.SSSSSS Z", Locale.ROOT));

  @Property
  void everyWrittenFormGivesTheTimeBack(
      @ForAll @LongRange(min = 86_400_000_000L, max = 8_000_000_000_000_000L) long micros,
      @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offset,
      @ForAll @IntRange(min = 0, max = 3) int form) {
    OffsetDateTime time =
        Instant.EPOCH
            .plus(micros, ChronoUnit.MICROS)
            .atOffset(ZoneOffset.ofTotalSeconds(60 * offset));
    assertThat(parsed(new TimeParser(null), FORMS.get(form).format(time))).isEqualTo(micros);
  }

  @Property
  void numbersAreSecondsMillisMicrosOrNanosByTheirSize(
      @ForAll @LongRange(min = 1, max = 8_000_000_000L) long second) {
    TimeParser parser = new TimeParser(null);
    assertThat(parsed(parser, second + ".25")).isEqualTo(second * 1_000_000 + 250_000);
    if (second >= 100_000_000) { // since 1973 the units cannot be mistaken
      assertThat(parsed(parser, second + "789")).isEqualTo(second * 1_000_000 + 789_000);
      assertThat(parsed(parser, second + "789456")).isEqualTo(second * 1_000_000 + 789_456);
      assertThat(parsed(parser, second + "789456123")).isEqualTo(second * 1_000_000 + 789_456);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1995-08-01T06:00:04Z | 1995-08-01T06:00:04Z",
        "1995-08-01T06:00Z | 1995-08-01T06:00:00Z",
        "1995-08-01 06:00:04 | 1995-08-01T06:00:04Z",
        "1995-08-01T06:00:04.123456789+02 | 1995-08-01T04:00:04.123456Z",
        "1995-08-01 06:00:04 +0530 | 1995-08-01T00:30:04Z",
        "[01/Aug/1995:06:00:04 -0400] | 1995-08-01T10:00:04Z",
        "Tue, 1 Aug 1995 06:00:04 GMT | 1995-08-01T06:00:04Z",
        "807256804 | 1995-08-01T06:00:04Z",
        "807256804000 | 1995-08-01T06:00:04Z"
      })
  void knownFormsAreRead(String text, Instant expected) {
    assertThat(Lane.time(parsed(new TimeParser(null), text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "yesterday",
        "1995-02-30T00:00:00Z",
        "1995-08-01T25:00:00Z",
        "06:00:04",
        "1e9",
        "-5",
        "99999999999999999999999999",
        "2300-01-01T00:00:00Z",
        "1969-12-31T23:59:59Z",
        "NaN",
        "1.2.3"
      })
  void otherTextsAreRefused(String text) {
    assertThat(new TimeParser(null).parse(text)).isNotNull();
  }

  @Test
  void withoutAYearTheNearestToTheTimeBeforeIsTaken() {
    TimeParser parser = new TimeParser(1995);
    assertThat(Lane.time(parsed(parser, "Dec 31 23:59:59")))
        .isEqualTo(Instant.parse("1995-12-31T23:59:59Z"));
    assertThat(Lane.time(parsed(parser, "Jan  1 00:00:01")))
        .isEqualTo(Instant.parse("1996-01-01T00:00:01Z"));
    assertThat(Lane.time(parsed(parser, "Dec 31 23:59:58")))
        .isEqualTo(Instant.parse("1995-12-31T23:59:58Z"));
    assertThat(new TimeParser(null).parse("Jan  1 00:00:01")).contains("no year");
  }

  @Property
  void timesWithoutAYearFollowEachOtherThroughTheYears(
      @ForAll @IntRange(min = 1980, max = 2030) int year,
      @ForAll @Size(max = 20) List<@IntRange(min = -90, max = 90) Integer> days) {
    DateTimeFormatter form = DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ROOT);
    TimeParser parser = new TimeParser(year);
    OffsetDateTime time = OffsetDateTime.of(year, 6, 15, 12, 30, 59, 0, ZoneOffset.UTC);
    assertThat(parsed(parser, form.format(time))).isEqualTo(time.toEpochSecond() * 1_000_000);
    for (int step : days) {
      time = time.plusDays(step);
      assertThat(parsed(parser, form.format(time))).isEqualTo(time.toEpochSecond() * 1_000_000);
    }
  }

  private static long parsed(TimeParser parser, String text) {
    assertThat(parser.parse(text)).as(text).isNull();
    return parser.micros();
  }
}
