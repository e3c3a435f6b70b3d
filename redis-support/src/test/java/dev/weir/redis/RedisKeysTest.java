package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RedisKeysTest {

  @Property
  void differentKeysHaveDifferentNames(
      @ForAll("texts") String namespace1,
      @ForAll("texts") String key1,
      @ForAll("texts") String namespace2,
      @ForAll("texts") String key2) {
    Assume.that(!namespace1.equals(namespace2) || !key1.equals(key2));

    assertThat(bytes(namespace1, key1)).isNotEqualTo(bytes(namespace2, key2));
  }

  @Property
  void noKeyChoosesItsSlot(@ForAll("texts") String namespace, @ForAll("texts") String key) {
    assertThat(new RedisKeys("fw", namespace).name(key)).doesNotContain("{", "}");
  }

  @Example
  void ordinaryKeysStayReadable() {
    assertThat(new RedisKeys("sw", "api v2/eu").name("user:42@example.org/größe"))
        .isEqualTo("weir1:sw:api v2/eu:user:42@example.org/größe");
  }

  @Example
  void whatWouldDoHarmIsWrittenAsItsNumber() {
    assertThat(new RedisKeys("tb", "a:b").name("100%{x}"))
        .isEqualTo("weir1:tb:a%3Ab:100%25%7Bx%7D");
    assertThat(new RedisKeys("tb", "n").name("\uD83D\uDE00 \uD83D \uDE00\uDE00"))
        .isEqualTo("weir1:tb:n:\uD83D\uDE00 %uD83D %uDE00%uDE00");
  }

  /** Close to each other, and full of what is special. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "a", ":", "%", "{", "}", "%3A", "%25", "%uD800", "3A", "u", "\uD800", "\uDC00",
                "?"),
            Arbitraries.strings().ofLength(1))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(parts -> String.join("", parts));
  }

  private static byte[] bytes(String namespace, String key) {
    return new RedisKeys("fw", namespace).name(key).getBytes(StandardCharsets.UTF_8);
  }
}
