package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  @Property
  void linesAreThoseOfTheText(
      @ForAll @Chars({'a', '\n', '\r', ' '}) @StringLength(max = 40) String text,
      @ForAll @IntRange(min = 1, max = 7) int atOnce)
      throws IOException {
    List<String> expected = new ArrayList<>();
    String[] parts = text.split("\n", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean last = i == parts.length - 1;
      if (!last || !parts[i].isEmpty()) {
        expected.add(
            parts[i].endsWith("\r") ? parts[i].substring(0, parts[i].length() - 1) : parts[i]);
      }
    }
    assertThat(read(text, atOnce)).isEqualTo(expected);
  }

  @Test
  void aLineThatIsTooLongIsOneFaultyLineAndTheNextOneIsRead() throws IOException {
    for (int length : new int[] {LineReader.LONGEST + 1, 20 * LineReader.LONGEST}) {
      LineReader lines =
          new LineReader(in("first\n" + "x".repeat(length) + "\nthird", Integer.MAX_VALUE));
      assertThat(lines.next()).isTrue();
      assertThat(lines.fault()).isNull();
      assertThat(lines.next()).isTrue();
      assertThat(lines.fault()).contains("longer than 65536 bytes");
      assertThat(lines.isBlank()).isFalse();
      assertThat(lines.next()).isTrue();
      assertThat(lines.fault()).isNull();
      assertThat(text(lines)).isEqualTo("third");
      assertThat(lines.number()).isEqualTo(3);
      assertThat(lines.next()).isFalse();
    }
  }

  @Test
  void theLongestLineIsRead() throws IOException {
    LineReader lines = new LineReader(in("x".repeat(LineReader.LONGEST) + "\r\ny", 1000));
    assertThat(lines.next()).isTrue();
    assertThat(lines.fault()).isNull();
    assertThat(text(lines)).hasSize(LineReader.LONGEST);
  }

  @Test
  void aByteOrderMarkIsNotPartOfTheFirstLine() throws IOException {
    assertThat(read("\uFEFFa\n\uFEFFb", 100)).containsExactly("a", "\uFEFFb");
  }

  private static List<String> read(String text, int atOnce) throws IOException {
    LineReader lines = new LineReader(in(text, atOnce));
    List<String> read = new ArrayList<>();
    while (lines.next()) {
      read.add(text(lines));
      assertThat(lines.number()).isEqualTo(read.size());
    }
    return read;
  }

  private static String text(LineReader lines) {
    return new String(
        lines.buffer(), lines.from(), lines.to() - lines.from(), StandardCharsets.UTF_8);
  }

  private static InputStream in(String text, int atOnce) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] bytes, int from, int length) {
        return super.read(bytes, from, Math.min(length, atOnce));
      }
    };
  }
}
