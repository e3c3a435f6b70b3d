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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            "test.log: none of its 2 lines is in common or combined log format (line 1: no identity"
                + " and user after the host)");
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

  private static String line(String host, String time) {
    return host + " - - [01/Aug/1995:" + time + " +0000] \"GET / HTTP/1.0\" 200 1\n";
  }

  private static Trace read(String text) throws IOException {
    return read(text.getBytes(StandardCharsets.UTF_8));
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
