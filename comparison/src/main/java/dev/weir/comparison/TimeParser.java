package dev.weir.comparison;

import dev.weir.internal.Micros;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The time parser reads times as logs have them: the ISO form with or without zone, numbers since
 * 1970 in s, ms, us or ns, the form of access logs, that of HTTP and mail, and that of syslog,
 * which lacks the year.
 *
 * <p>Without a zone a time is UTC. Fractions are cut after the microsecond.
 */
final class TimeParser {

  private static final List<DateTimeFormatter> FORMS =
      List.of(
          iso('T'),
          iso(' '),
          strict(
              new DateTimeFormatterBuilder()
                  .parseCaseInsensitive()
                  .appendPattern("dd/MMM/uuuu:HH:mm:ss")
                  .optionalStart()
                  .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
                  .optionalEnd()
                  .appendPattern("[ XX][ XXX]")),
          DateTimeFormatter.RFC_1123_DATE_TIME,
          strict(
              new DateTimeFormatterBuilder()
                  .parseCaseInsensitive()
                  .appendPattern("MMM ")
                  .padNext(2)
                  .appendValue(ChronoField.DAY_OF_MONTH, 1, 2, SignStyle.NOT_NEGATIVE)
                  .appendPattern(" HH:mm:ss")
                  .optionalStart()
                  .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
                  .optionalEnd()));

  private final @Nullable Integer firstYear;
  private int form; // that of the time before, tried first
  private boolean any;
  private long micros;

  /**
   * Takes the year of the first time without one; later ones are those nearest to the one before.
   */
  TimeParser(@Nullable Integer firstYear) {
    this.firstYear = firstYear;
  }

  private static DateTimeFormatter iso(char separator) {
    return strict(
        new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd")
            .appendLiteral(separator)
            .appendPattern("HH:mm[:ss")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .appendPattern("][ ][XXX][XX][X]"));
  }

  private static DateTimeFormatter strict(DateTimeFormatterBuilder builder) {
    return builder.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
  }

  /** Reads a time; returns what is wrong with it, or null. */
  @Nullable String parse(String text) {
    String time = text.strip();
    if (time.startsWith("[") && time.endsWith("]")) {
      time = time.substring(1, time.length() - 1);
    }
    if (time.indexOf(',') > 3) { // a fraction, not the day of a week
      time = time.replace(',', '.');
    }
    Instant instant;
    try {
      instant = isNumber(time) ? sinceEpoch(new BigDecimal(time)) : written(time);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      instant = null;
    }
    if (instant == null) {
      return "the time is in no known form";
    }
    if (instant.equals(Instant.MIN)) {
      return "the time has no year, give one by --year";
    }
    try {
      micros = Micros.of(instant);
    } catch (IllegalArgumentException e) {
      return "the time is not from 1970 to 2255";
    }
    any = true;
    return null;
  }

  /** The microseconds since 1970 of the time read last. */
  long micros() {
    return micros;
  }

  private static boolean isNumber(String text) {
    boolean digits = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      digits |= c >= '0' && c <= '9';
      if ((c < '0' || c > '9') && c != '.') {
        return false;
      }
    }
    return digits && text.length() <= 40;
  }

  /** The unit follows from the size: a number of seconds has at most 11 digits, until 5138. */
  private static Instant sinceEpoch(BigDecimal number) {
    int digits = number.precision() - number.scale();
    int toMicros = digits <= 11 ? 6 : digits <= 14 ? 3 : digits <= 17 ? 0 : -3;
    long value = number.scaleByPowerOfTen(toMicros).setScale(0, RoundingMode.DOWN).longValueExact();
    return Lane.time(value);
  }

  /** Reads a written time: null for none, {@link Instant#MIN} where there is no year to take. */
  private @Nullable Instant written(String text) {
    for (int i = 0; i < FORMS.size(); i++) {
      int tried = (form + i) % FORMS.size();
      TemporalAccessor parsed = parse(FORMS.get(tried), text);
      if (parsed != null) {
        form = tried;
        return instant(parsed);
      }
    }
    return null;
  }

  private static @Nullable TemporalAccessor parse(DateTimeFormatter formatter, String text) {
    try {
      return formatter.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private Instant instant(TemporalAccessor parsed) {
    if (!parsed.isSupported(ChronoField.YEAR)) {
      return nearest(MonthDay.from(parsed), LocalTime.from(parsed));
    }
    ZoneOffset zone = parsed.query(TemporalQueries.offset());
    LocalDateTime local = LocalDateTime.from(parsed);
    return OffsetDateTime.of(local, zone == null ? ZoneOffset.UTC : zone).toInstant();
  }

  private Instant nearest(MonthDay day, LocalTime time) {
    if (firstYear == null) {
      return Instant.MIN;
    }
    if (!any) {
      return at(firstYear, day, time);
    }
    int year = Lane.time(micros).atOffset(ZoneOffset.UTC).getYear();
    Instant nearest = at(year, day, time);
    for (int other : new int[] {year - 1, year + 1}) {
      Instant candidate = at(other, day, time);
      if (distance(candidate) < distance(nearest)) {
        nearest = candidate;
      }
    }
    return nearest;
  }

  private long distance(Instant candidate) {
    return Math.abs(candidate.getEpochSecond() - micros / 1_000_000);
  }

  private static Instant at(int year, MonthDay day, LocalTime time) {
    return day.atYear(year).atTime(time).toInstant(ZoneOffset.UTC);
  }
}
