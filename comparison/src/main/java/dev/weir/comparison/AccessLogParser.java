package dev.weir.comparison;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The access log parser reads lines of the common and combined log formats: {@code host ident user
 * [dd/Mon/yyyy:HH:MM:SS +zzzz] "request" status bytes}, and what follows.
 *
 * <p>It is strict about these fields, so that a line of some other shape is not counted for a wrong
 * key, and lenient about their content: a request may hold quotes, escaped or not, and any bytes.
 */
final class AccessLogParser implements LineParser, FieldRules.Fields {

  private static final int NO_DIGITS = -1;

  private final boolean combined;
  private final FieldRules rules;
  private byte[] line = new byte[0];
  private int at;
  private int end;
  private int cachedDay = -1; // the year, month and day of the line before, packed
  private long cachedDayMicros;
  private int yearBefore; // of the last time without a year
  private int monthBefore;
  private int hostFrom;
  private int hostTo;
  private int userFrom;
  private int userTo;
  private int requestFrom;
  private int requestTo;
  private int statusFrom;
  private int sizeFrom;
  private int sizeTo;

  AccessLogParser(boolean combined, FieldRules rules) {
    this.combined = combined;
    this.rules = rules;
  }

  @Override
  public @Nullable String parse(byte[] buffer, int from, int to, RawEvent event) {
    line = buffer;
    at = from;
    end = to;
    hostFrom = at;
    skipWord();
    hostTo = at;
    if (hostFrom == hostTo) {
      return "no host at its start";
    }
    if (!skipBlanks() || !skipWord() || !skipBlanks()) {
      return "no identity and user after the host";
    }
    userFrom = at;
    boolean user = skipUser();
    userTo = at;
    if (!user || !skipBlanks()) {
      return "no identity and user after the host";
    }
    if (!skip('[')) {
      return "no [time] as the fourth field";
    }
    String fault = time(event);
    if (fault != null) {
      return fault;
    }
    if (!skipBlanks() || !skip('"')) {
      return "no \"request\" after the time";
    }
    requestFrom = at;
    requestTo = endOfRequest();
    if (requestTo < 0) {
      return "no status and bytes after the request";
    }
    event.key(buffer, hostFrom, hostTo);
    event.request(buffer, requestFrom, requestTo);
    fault = rules.applyKeyAndCost(this, event);
    if (fault != null) {
      return fault;
    }
    return combined && !restIsCombined() ? "no referrer and user agent in quotes" : null;
  }

  @Override
  public @Nullable String field(String name) {
    return switch (name) {
      case "host" -> KeyTable.decode(line, hostFrom, hostTo);
      case "user" -> KeyTable.decode(line, userFrom, userTo);
      case "request" -> KeyTable.decode(line, requestFrom, requestTo);
      case "method" -> word(0);
      case "path" -> word(1);
      case "status" -> KeyTable.decode(line, statusFrom, Math.min(statusFrom + 3, end));
      case "bytes" -> KeyTable.decode(line, sizeFrom, sizeTo);
      case "agent" -> agent();
      default -> null;
    };
  }

  private @Nullable String word(int number) {
    String[] words = KeyTable.decode(line, requestFrom, requestTo).split(" ", 3);
    return number < words.length ? words[number] : null;
  }

  private @Nullable String agent() {
    int resume = at;
    boolean there = skipBlanks() && skipQuoted() && skipBlanks() && at < end && line[at] == '"';
    int from = at + 1;
    there = there && skipQuoted();
    String agent = there ? KeyTable.decode(line, from, at - 1) : null;
    at = resume;
    return agent;
  }

  private @Nullable String time(RawEvent event) {
    int day = digits(2);
    boolean shape = skip('/');
    int month = month();
    if (day == NO_DIGITS || !shape || month == 0) {
      return "the time does not start like 01/Aug/1995";
    }
    int year = skip('/') ? digits(4) : yearOf(month);
    if (year == NO_DIGITS || !skip(':')) {
      return "the time does not start like 01/Aug/1995, or has no year and --year gives none";
    }
    int hour = digits(2);
    shape = skip(':');
    int minute = digits(2);
    shape &= skip(':');
    int second = digits(2);
    if (!shape || hour == NO_DIGITS || minute == NO_DIGITS || second == NO_DIGITS) {
      return "the time of day is not like 06:00:00";
    }
    int micros = fraction();
    int offset = offsetMinutes();
    if (offset == Integer.MAX_VALUE || !skip(']')) {
      return "the time does not end in a zone like +0000 and a bracket";
    }
    int packed = (year << 9) + (month << 5) + day;
    if (packed != cachedDay) {
      if (day < 1
          || day > LocalDate.of(year, month, 1).lengthOfMonth()
          || year < 1970
          || year > 2254) {
        return "the date does not exist or is not from 1970 to 2254";
      }
      cachedDayMicros = LocalDate.of(year, month, day).toEpochDay() * 86_400_000_000L;
      cachedDay = packed;
    }
    if (hour > 23 || minute > 59 || second > 60) { // 60 is a leap second
      return "the time of day does not exist";
    }
    event.timeMicros =
        cachedDayMicros + (hour * 3600L + (minute - offset) * 60L + second) * 1_000_000L + micros;
    return event.timeMicros < 0 ? "the time is before 1970" : null;
  }

  /** The year of a time without one: that in which its month is nearest to the one before. */
  private int yearOf(int month) {
    if (rules.year() == null) {
      return NO_DIGITS;
    }
    if (monthBefore == 0) {
      yearBefore = rules.year();
    } else if (month - monthBefore > 6) {
      yearBefore--;
    } else if (monthBefore - month > 6) {
      yearBefore++;
    }
    monthBefore = month;
    return yearBefore;
  }

  private int month() {
    if (end - at < 3) {
      return 0;
    }
    int name = (line[at] & 0xFF) << 16 | (line[at + 1] & 0xFF) << 8 | (line[at + 2] & 0xFF);
    at += 3;
    return switch (name) {
      case 'J' << 16 | 'a' << 8 | 'n' -> 1;
      case 'F' << 16 | 'e' << 8 | 'b' -> 2;
      case 'M' << 16 | 'a' << 8 | 'r' -> 3;
      case 'A' << 16 | 'p' << 8 | 'r' -> 4;
      case 'M' << 16 | 'a' << 8 | 'y' -> 5;
      case 'J' << 16 | 'u' << 8 | 'n' -> 6;
      case 'J' << 16 | 'u' << 8 | 'l' -> 7;
      case 'A' << 16 | 'u' << 8 | 'g' -> 8;
      case 'S' << 16 | 'e' << 8 | 'p' -> 9;
      case 'O' << 16 | 'c' << 8 | 't' -> 10;
      case 'N' << 16 | 'o' << 8 | 'v' -> 11;
      case 'D' << 16 | 'e' << 8 | 'c' -> 12;
      default -> 0;
    };
  }

  /** Reads so many digits; -1 where they are not there. */
  private int digits(int count) {
    if (end - at < count) {
      return NO_DIGITS;
    }
    int value = 0;
    for (int i = 0; i < count; i++) {
      int digit = line[at + i] - '0';
      if (digit < 0 || digit > 9) {
        return NO_DIGITS;
      }
      value = 10 * value + digit;
    }
    at += count;
    return value;
  }

  /** Reads the microseconds of an optional fraction of a second, rounded down. */
  private int fraction() {
    if (at >= end || (line[at] != '.' && line[at] != ',')) {
      return 0;
    }
    at++;
    int micros = 0;
    int unit = 100_000;
    while (at < end && line[at] >= '0' && line[at] <= '9') {
      micros += (line[at] - '0') * unit;
      unit /= 10;
      at++;
    }
    return micros;
  }

  /** Reads the zone: none is UTC; {@link Integer#MAX_VALUE} for something else. */
  private int offsetMinutes() {
    if (at < end && line[at] == ']') {
      return 0;
    }
    if (!skipBlanks()) {
      return Integer.MAX_VALUE;
    }
    boolean west = skip('-');
    if (!west && !skip('+')) {
      return skip('Z') ? 0 : Integer.MAX_VALUE;
    }
    int hours = digits(2);
    skip(':');
    int minutes = digits(2);
    if (hours == NO_DIGITS || minutes == NO_DIGITS || hours > 18 || minutes > 59) {
      return Integer.MAX_VALUE;
    }
    return west ? -(hours * 60 + minutes) : hours * 60 + minutes;
  }

  /**
   * Finds the quote that a status and a size follow, and moves behind them; -1 if there is none.
   */
  private int endOfRequest() {
    for (int i = at; i < end; i++) {
      if (line[i] == '"') {
        at = i + 1;
        if (skipBlanks() && skipStatus() && skipBlanks() && skipSize()) {
          return i;
        }
      }
    }
    return -1;
  }

  private boolean skipStatus() {
    statusFrom = at;
    return skip('-') || digits(3) != NO_DIGITS;
  }

  private boolean skipSize() {
    sizeFrom = at;
    if (!skip('-')) {
      while (at < end && line[at] >= '0' && line[at] <= '9') {
        at++;
      }
    }
    sizeTo = at;
    return at > sizeFrom && (at == end || isBlank(line[at]));
  }

  private boolean restIsCombined() {
    return skipBlanks() && skipQuoted() && skipBlanks() && skipQuoted();
  }

  /** Moves behind a quoted text; its end is a quote that a blank or the end of the line follows. */
  private boolean skipQuoted() {
    if (!skip('"')) {
      return false;
    }
    for (int i = at; i < end; i++) {
      if (line[i] == '"' && (i + 1 == end || isBlank(line[i + 1]))) {
        at = i + 1;
        return true;
      }
    }
    return false;
  }

  private boolean skipUser() {
    return (at < end && line[at] == '"') ? skipQuoted() : skipWord();
  }

  private boolean skipWord() {
    int start = at;
    while (at < end && !isBlank(line[at])) {
      at++;
    }
    return at > start;
  }

  private boolean skipBlanks() {
    int start = at;
    while (at < end && isBlank(line[at])) {
      at++;
    }
    return at > start;
  }

  private boolean skip(char expected) {
    if (at < end && line[at] == expected) {
      at++;
      return true;
    }
    return false;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
