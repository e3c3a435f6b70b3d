package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {

  @Test
  void factsTellWhatTheLogHolds() throws Exception {
    String log = line("b", "06:00:02") + line("a", "06:00:05") + line("b", "06:00:05");
    try (Trace trace = read(log)) {
      TraceFacts facts = trace.facts();
      assertThat(facts.name()).isEqualTo("test.log");
      assertThat(facts.events()).isEqualTo(3);
      assertThat(facts.keys()).isEqualTo(2);
      assertThat(facts.first()).isEqualTo(Instant.parse("1995-08-01T06:00:02Z"));
      assertThat(facts.last()).isEqualTo(Instant.parse("1995-08-01T06:00:05Z"));
      assertThat(facts.skipped()).isZero();
      assertThat(facts.outOfOrder()).isZero();
      assertThat(facts.sha256())
          .isEqualTo(
              HexFormat.of()
                  .formatHex(
                      MessageDigest.getInstance("SHA-256")
                          .digest(log.getBytes(StandardCharsets.UTF_8))));
      assertThat(events(trace)).containsExactly("b 2", "a 5", "b 5");
    }
  }

  @Test
  void linesOutOfOrderAreSortedStablyAndCounted() throws IOException {
    String log =
        line("a", "06:00:05")
            + line("b", "06:00:02")
            + line("c", "06:00:05")
            + line("d", "06:00:04")
            + line("e", "06:00:05");
    try (Trace trace = read(log)) {
      assertThat(events(trace)).containsExactly("b 2", "d 4", "a 5", "c 5", "e 5");
      assertThat(trace.facts().outOfOrder()).isEqualTo(2);
      assertThat(trace.facts().largestStepBack()).isEqualTo(Duration.ofSeconds(3));
      assertThat(trace.facts().first()).isEqualTo(Instant.parse("1995-08-01T06:00:02Z"));
      assertThat(trace.facts().last()).isEqualTo(Instant.parse("1995-08-01T06:00:05Z"));
    }
  }

  @Test
  void faultyLinesAreSkippedAndTheFirstThreeShown() throws IOException {
    String log = "x\n\n" + line("a", "06:00:05") + "y\nz\nw\n";
    try (Trace trace = read(log)) {
      assertThat(trace.facts().events()).isEqualTo(1);
      assertThat(trace.facts().skipped()).isEqualTo(4);
      assertThat(trace.facts().skippedExamples())
          .extracting(example -> example.substring(0, example.indexOf(':')))
          .containsExactly("line 1", "line 4", "line 5");
    }
  }

  @Test
  void crlfAndAMissingLastLineEndMakeNoDifference() throws IOException {
    String log = line("a", "06:00:05") + line("b", "06:00:06");
    try (Trace trace = read("\uFEFF" + log.replace("\n", "\r\n").stripTrailing())) {
      assertThat(events(trace)).containsExactly("a 5", "b 6");
    }
  }

  @Test
  void aGzipFileOfSeveralMembersIsReadToItsEndAndHasTheDigestOfThePlainOne() throws IOException {
    String first = line("a", "06:00:05");
    String second = line("b", "06:00:06");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(gzip(first));
    bytes.write(gzip(second));
    try (Trace packed = read(bytes.toByteArray());
        Trace plain = read(first + second)) {
      assertThat(events(packed)).containsExactly("a 5", "b 6");
      assertThat(packed.facts()).isEqualTo(plain.facts());
    }
  }

  @Test
  void aGzipFileThatIsCutOffIsRefused() throws IOException {
    byte[] whole = gzip(line("a", "06:00:05").repeat(50));
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    assertThatThrownBy(() -> read(cut))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("test.log: the gzip data is damaged or cut off");
  }

  @Test
  void anEmptyInputIsRefused() {
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage("test.log is empty, there is nothing to replay");
  }

  @Test
  void anInputWithoutAnyReadableLineIsRefused() {
    assertThatThrownBy(() -> read("some\ntext\n"))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(
            "test.log: none of its 2 lines can be read as an access log in common or combined format"
                + " (line 1: no identity and user after the host); say what it is by --format, or what its"
                + " fields are called by --key-field and the like");
  }

  @Test
  void aFileIsReadAsItsStreamIsAndADirectoryIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("x.log"), line("a", "06:00:05"));
    try (Trace trace = TraceReader.of(TraceFormat.CLF).read(file)) {
      assertThat(trace.facts().name()).isEqualTo("x.log");
      assertThat(events(trace)).containsExactly("a 5");
    }
    assertThatThrownBy(() -> TraceReader.of(TraceFormat.CLF).read(folder))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageEndingWith("is a directory, must be a file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // name | input, with ; for a line feed | its events
        "csv with header | time,ip,n;807256805,a,1;807256806,\"b,c\",2; | a 5 1,b,c 6 1",
        "csv without | 1995-08-01T06:00:05Z,a;1995-08-01T06:00:06Z,b | a 5 1,b 6 1",
        "csv without, time last | a,1995-08-01 06:00:05;b,1995-08-01 06:00:06 | a 5 1,b 6 1",
        "tsv | ts>client;807256805>a \"x;807256806>b | a \"x 5 1,b 6 1",
        "json lines | {\"ts\":807256805,\"ip\":\"a\"};{\"ts\":807256806.5,\"ip\":\"b\",\"x\":[1]} | a 5 1,b 6 1",
        "har | {;\"log\":{\"creator\":{\"x\":[1]},\"entries\":[{\"startedDateTime\":\"1995-08-01T06:00:05Z\",\"request\":{\"method\":\"GET\",\"url\":\"http://a:8/x?y\"}}]}} | a 5 1",
        "clf after noise | x,y;h - - [01/Aug/1995:06:00:05 +0000] \"GET /\" 200 1 | h 5 1"
      })
  void theFormatIsFoundOut(String name, String input, String expected) throws IOException {
    String text = input.replace(";", "\n").replace(">", "\t");
    try (Trace trace = read(text)) {
      assertThat(String.join(",", eventsWithPermits(trace))).isEqualTo(expected);
    }
  }

  @Test
  void keyCostAndTimeAreTakenFromTheFieldsThatAreNamed() throws IOException {
    String csv = "when,ip,tenant,Units\n807256805,x,a,3\n807256806,x,b,0\n807256807,x,,1\n";
    TraceReader reader =
        TraceReader.of(TraceFormat.CSV)
            .withKeyField("tenant")
            .withTimeField("when")
            .withCostField("units");
    try (Trace trace = read(reader, csv)) {
      assertThat(eventsWithPermits(trace)).containsExactly("a 5 3");
      assertThat(trace.facts().skippedExamples())
          .containsExactly(
              "line 3: the cost 'units' is not a whole number of at least 1",
              "line 4: no field 'tenant', which the key is to come from");
    }
    String json = "{\"t\":{\"at\":807256805},\"who\":{\"id\":7},\"cost\":2}\n";
    reader =
        TraceReader.of(TraceFormat.JSONL)
            .withKeyField("who.id")
            .withTimeField("t.at")
            .withCostField("cost");
    try (Trace trace = read(reader, json)) {
      assertThat(eventsWithPermits(trace)).containsExactly("7 5 2");
    }
    reader = TraceReader.of(TraceFormat.CLF).withKeyField("path").withCostField("bytes");
    try (Trace trace = read(reader, line("h", "06:00:05").replace("200 1", "200 42"))) {
      assertThat(eventsWithPermits(trace)).containsExactly("/ 5 42");
    }
    reader = TraceReader.of(TraceFormat.CLF).withOneKey();
    try (Trace trace = read(reader, line("h", "06:00:05") + line("i", "06:00:05"))) {
      assertThat(trace.facts().keys()).isEqualTo(1);
    }
  }

  @Test
  void brokenRecordsOfEveryFormatAreSkipped() throws IOException {
    try (Trace trace = read("time,ip\n807256805,a\n\"807256805,a\nyesterday,a\n807256806\n")) {
      assertThat(trace.facts().events()).isEqualTo(1);
      assertThat(trace.facts().skippedExamples())
          .containsExactly(
              "line 3: the quotes do not match",
              "line 4: the time is in no known form",
              "line 5: no field that is usually the key, name one by --key-field");
    }
    try (Trace trace = read("{\"ts\":807256805,\"ip\":\"a\"}\n{\"ts\":\n[1]\n{\"ip\":\"a\"}\n")) {
      assertThat(trace.facts().events()).isEqualTo(1);
      assertThat(trace.facts().skippedExamples())
          .containsExactly(
              "line 2: it is not JSON",
              "line 3: it is not a JSON object",
              "line 4: no field that is usually the time, name one by --time-field");
    }
    assertThatThrownBy(() -> read("{\"log\":{\"version\":\"1.2\"}}"))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("no log with entries");
    assertThatThrownBy(() -> read("{\"log\":{\"entries\":[{]"))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("it is not JSON after entry 0");
  }

  @Test
  void aPartOfTheTimeOrOfTheEventsCanBeTaken() throws IOException {
    String log =
        line("a", "06:00:05")
            + line("b", "06:00:06")
            + line("c", "06:00:07")
            + line("d", "06:00:08");
    Instant six = Instant.parse("1995-08-01T06:00:06Z");
    TraceReader reader =
        TraceReader.of(TraceFormat.AUTO).between(Optional.of(six), Optional.of(six.plusSeconds(2)));
    try (Trace part = read(reader, log);
        Trace first = read(reader.withMaxEvents(1), log);
        Trace whole = read(log)) {
      assertThat(events(part)).containsExactly("b 6", "c 7");
      assertThat(events(first)).containsExactly("b 6");
      assertThat(first.facts().sha256()).isEqualTo(whole.facts().sha256());
    }
    assertThatThrownBy(
            () ->
                read(
                    TraceReader.of(TraceFormat.AUTO)
                        .between(Optional.of(six.plusSeconds(9)), Optional.empty()),
                    log))
        .hasMessage("test.log: none of its 4 events is between --from and --to");
  }

  @Test
  void theRequestsOfAKeyKeepTheirTexts() throws IOException {
    String log = line("a", "06:00:05") + line("b", "06:00:06") + line("a", "06:00:01");
    List<TraceReader.Request> requests =
        TraceReader.of(TraceFormat.AUTO)
            .requestsOf(
                "test.log", new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), "a");
    assertThat(requests)
        .containsExactly(
            new TraceReader.Request(Instant.parse("1995-08-01T06:00:01Z"), 1, "GET / HTTP/1.0"),
            new TraceReader.Request(Instant.parse("1995-08-01T06:00:05Z"), 1, "GET / HTTP/1.0"));
  }

  private static String line(String host, String time) {
    return host + " - - [01/Aug/1995:" + time + " +0000] \"GET / HTTP/1.0\" 200 1\n";
  }

  private static Trace read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Trace read(TraceReader reader, String text) throws IOException {
    return reader.read("test.log", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> eventsWithPermits(Trace trace) {
    List<String> events = new ArrayList<>();
    Trace.Cursor cursor = trace.cursor();
    while (cursor.next()) {
      long second = cursor.timeMicros() / 1_000_000 - 807_256_800;
      events.add(trace.keyName(cursor.key()) + " " + second + " " + cursor.permits());
    }
    return events;
  }

  private static Trace read(byte[] bytes) throws IOException {
    return TraceReader.of(TraceFormat.AUTO).read("test.log", new ByteArrayInputStream(bytes));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static List<String> events(Trace trace) {
    List<String> events = new ArrayList<>();
    Trace.Cursor cursor = trace.cursor();
    while (cursor.next()) {
      long second = cursor.timeMicros() / 1_000_000 - 807_256_800;
      events.add(trace.keyName(cursor.key()) + " " + second);
    }
    return events;
  }
}
