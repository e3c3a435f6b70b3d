package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class KeyTableTest {

  @Property
  void keysAreNumberedInTheOrderOfTheirFirstAppearance(
      @ForAll List<@AlphaChars @Chars({'é', '€', '.'}) @StringLength(max = 3) String> names) {
    KeyTable table = new KeyTable();
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (String name : names) {
      int expected = numbers.computeIfAbsent(name, n -> numbers.size());
      byte[] bytes = ("<" + name + ">").getBytes(StandardCharsets.UTF_8);
      assertThat(table.index(bytes, 1, bytes.length - 1)).isEqualTo(expected);
      assertThat(table.index(name)).isEqualTo(expected);
    }
    assertThat(table.size()).isEqualTo(numbers.size());
    numbers.forEach((name, number) -> assertThat(table.name(number)).isEqualTo(name));
  }

  @Test
  void aMillionKeysKeepTheirNumbers() {
    KeyTable table = new KeyTable();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1_000_000; i++) {
        byte[] name = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        if (table.index(name, 0, name.length) != i) {
          assertThat(table.index(name, 0, name.length)).isEqualTo(i);
        }
      }
    }
    assertThat(table.size()).isEqualTo(1_000_000);
  }

  @Test
  void bytesThatAreNoUtf8AreLatin1AndAreTheSameKeyAsTheSameTextInUtf8() {
    KeyTable table = new KeyTable();
    int latin1 = table.index(new byte[] {(byte) 0xE9}, 0, 1);
    int utf8 = table.index(new byte[] {(byte) 0xC3, (byte) 0xA9}, 0, 2);
    assertThat(utf8).isEqualTo(latin1);
    assertThat(table.name(latin1)).isEqualTo("é");
  }
}
