package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogParserTest {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);
  private static final String LINE =
      "10.0.0.1 - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 8677";

  private final RawEvent event = new RawEvent();

  @Property
  void aLineGivesBackWhatItWasMadeOf(
      @ForAll("words") String host,
      @ForAll("words") String user,
      @ForAll("requests") String request,
      @ForAll @LongRange(min = 0, max = 8_000_000_000L) long second,
      @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offset,
      @ForAll("tails") String tail) {
    OffsetDateTime time =
        Instant.ofEpochSecond(second).atOffset(ZoneOffset.ofTotalSeconds(60 * offset));
    if (time.getYear() < 1970) {
      return; // a zone west of the first hours of 1970
    }
    String line =
        host + " - " + user + " [" + TIME.format(time) + "] \"" + request + "\" 200 -" + tail;
    assertThat(parse(line)).as(line).isNull();
    assertThat(event.timeMicros).isEqualTo(second * 1_000_000);
    assertThat(event.key()).isEqualTo(host);
    assertThat(event.request()).isEqualTo(request);
    assertThat(event.permits).isEqualTo(1);
  }

  @Property
  void noCutLineIsReadAsAnotherOne(@ForAll @IntRange(min = 0, max = 66) int length) {
    // What is left from here on is a shorter but lawful size.
    assertThat(parse(LINE.substring(0, Math.min(length, LINE.length() - 4)))).isNotNull();
  }

  @Property
  void noBytesMakeItThrow(@ForAll byte[] bytes, @ForAll @IntRange(min = 0, max = 66) int at) {
    byte[] line = LINE.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, line, at, Math.min(bytes.length, line.length - at));
    new AccessLogParser(true, FieldRules.USUAL).parse(line, 0, line.length, event);
    String fault = new AccessLogParser(false, FieldRules.USUAL).parse(line, 0, line.length, event);
    if (fault == null) {
      assertThat(event.timeMicros).isNotNegative();
      assertThat(event.key()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "01/Aug/1995:06:00:04 -0400, 1995-08-01T10:00:04Z",
    "01/Aug/1995:06:00:04 +0530, 1995-08-01T00:30:04Z",
    "01/Aug/1995:06:00:04 +05:30, 1995-08-01T00:30:04Z",
    "01/Aug/1995:06:00:04 Z, 1995-08-01T06:00:04Z",
    "01/Aug/1995:06:00:04, 1995-08-01T06:00:04Z",
    "01/Aug/1995:06:00:04.123456789 +0000, 1995-08-01T06:00:04.123456Z",
    "01/Aug/1995:06:00:04.5 +0000, 1995-08-01T06:00:04.500Z",
    "29/Feb/2000:23:59:59 +0000, 2000-02-29T23:59:59Z",
    "31/Dec/2016:23:59:60 +0000, 2017-01-01T00:00:00Z",
    "01/Jan/1970:00:00:00 +0000, 1970-01-01T00:00:00Z"
  })
  void timesAreReadWithTheirZoneAndFraction(String text, Instant expected) {
    assertThat(parse(LINE.replace("01/Aug/1995:06:00:04 +0000", text))).isNull();
    assertThat(Instant.EPOCH.plus(event.timeMicros, ChronoUnit.MICROS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "31/Feb/2000:00:00:00 +0000",
        "29/Feb/1900:00:00:00 +0000",
        "00/Aug/1995:06:00:04 +0000",
        "01/Aou/1995:06:00:04 +0000",
        "01/08/1995:06:00:04 +0000",
        "01/Aug:06:00:04 +0000",
        "01/Aug/1995:24:00:00 +0000",
        "01/Aug/1995:06:60:00 +0000",
        "01/Aug/1995:06:00:61 +0000",
        "01/Aug/1995:6:00:04 +0000",
        "01/Aug/1995:06:00:04 EST",
        "01/Aug/1995:06:00:04 +9900",
        "01/Aug/9999:06:00:04 +0000",
        "01/Jan/1970:00:00:00 +0100"
      })
  void timesThatDoNotExistAreRefused(String text) {
    assertThat(parse(LINE.replace("01/Aug/1995:06:00:04 +0000", text)))
        .containsAnyOf("time", "date");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2001:db8::1 - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1",
        "h - \"john doe\" [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1",
        "h\t-\t-\t[01/Aug/1995:06:00:04 +0000]\t\"GET / HTTP/1.0\"\t200\t1",
        "h - - [01/Aug/1995:06:00:04 +0000] \"\" 400 0",
        "h - - [01/Aug/1995:06:00:04 +0000] \"-\" 408 -",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET /a\"b HTTP/1.0\" 404 -",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET /a\\\"b\" 404 -",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1 \"-\" \"UA \"x\" (a)\" 0.005"
      })
  void linesFromTheFieldAreRead(String line) {
    assertThat(parse(line)).as(line).isNull();
    assertThat(event.timeMicros).isEqualTo(807_256_804_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host0001",
        "example.org:443 10.0.0.1 - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1",
        "h - - 01/Aug/1995:06:00:04 +0000 \"GET / HTTP/1.0\" 200 1",
        "h - - [01/Aug/1995:06:00:04 +0000] GET / HTTP/1.0 200 1",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\"",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 20 1",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1k",
        "{\"time\": 1}"
      })
  void linesOfAnotherShapeAreRefused(String line) {
    assertThat(parse(line)).isNotNull();
  }

  @Test
  void theCombinedFormatDemandsReferrerAndUserAgent() {
    AccessLogParser combined = new AccessLogParser(true, FieldRules.USUAL);
    assertThat(parse(combined, LINE)).isEqualTo("no referrer and user agent in quotes");
    assertThat(parse(combined, LINE + " \"-\"")).isNotNull();
    assertThat(parse(combined, LINE + " \"-\" \"Mozilla/5.0 (X11; \"quoted\")\"")).isNull();
  }

  @Test
  void fieldsAreFoundByName() {
    AccessLogParser parser = new AccessLogParser(false, FieldRules.USUAL);
    String line =
        "h - joe [01/Aug/1995:06:00:04 +0000] \"GET /a?b HTTP/1.0\" 304 17 \"-\" \"curl \\\"8\" 3";
    assertThat(parse(parser, line)).isNull();
    assertThat(parser.field("host")).isEqualTo("h");
    assertThat(parser.field("user")).isEqualTo("joe");
    assertThat(parser.field("request")).isEqualTo("GET /a?b HTTP/1.0");
    assertThat(parser.field("method")).isEqualTo("GET");
    assertThat(parser.field("path")).isEqualTo("/a?b");
    assertThat(parser.field("status")).isEqualTo("304");
    assertThat(parser.field("bytes")).isEqualTo("17");
    assertThat(parser.field("agent")).isEqualTo("curl \\\"8");
    assertThat(parser.field("agent")).as("a second time").isEqualTo("curl \\\"8");
    assertThat(parser.field("referrer")).isNull();
    assertThat(parse(parser, LINE)).isNull();
    assertThat(parser.field("agent")).isNull();
  }

  @Test
  void aTimeWithoutYearTakesTheOneThatIsGiven() {
    FieldRules rules = new FieldRules(null, null, false, null, 1995);
    String line = LINE.replace("/1995", "");
    assertThat(parse(line)).contains("no year");
    assertThat(parse(new AccessLogParser(false, rules), line)).isNull();
    assertThat(event.timeMicros).isEqualTo(807_256_804_000_000L);
  }

  @Test
  void timesWithoutYearGoOnThroughNewYear() {
    AccessLogParser parser =
        new AccessLogParser(false, new FieldRules(null, null, false, null, 1995));
    String[] days = {"31/Dec", "01/Jan", "31/Dec", "01/Jan", "01/Jun"};
    String[] expected = {"1995-12-31", "1996-01-01", "1995-12-31", "1996-01-01", "1996-06-01"};
    for (int i = 0; i < days.length; i++) {
      assertThat(parse(parser, LINE.replace("01/Aug/1995", days[i]))).isNull();
      assertThat(Lane.time(event.timeMicros)).isEqualTo(expected[i] + "T06:00:04Z");
    }
  }

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.strings()
        .withCharRange('!', '~')
        .withChars('é', '中')
        .ofMinLength(1)
        .ofMaxLength(30)
        .filter(word -> !word.startsWith("\"") && !word.startsWith("["));
  }

  @Provide
  Arbitrary<String> requests() {
    return Arbitraries.strings()
        .withCharRange(' ', '~')
        .withChars('"', '\\', '\t', 'é')
        .ofMaxLength(40)
        .filter(request -> !request.matches(".*\"\\s+(-|\\d{3})\\s+(-|\\d+)(\\s.*)?"));
  }

  @Provide
  Arbitrary<String> tails() {
    return Arbitraries.of("", " ", " \"-\" \"curl/8\"", "\t0.001 \"x\"");
  }

  private String parse(String line) {
    return parse(new AccessLogParser(false, FieldRules.USUAL), line);
  }

  private String parse(AccessLogParser parser, String line) {
    byte[] bytes = (">" + line + "<").getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, 1, bytes.length - 1, event);
  }
}
