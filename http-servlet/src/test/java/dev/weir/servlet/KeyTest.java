package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.StringLength;

class KeyTest {

  @Property
  void aKeyHasAtMostTwoHundredBytes(@ForAll @StringLength(max = 300) String value) {
    String key = RequestPolicy.key("user", value);

    assertThat(key.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(200);
  }

  @Property
  void twoValuesNeverShareAKey(
      @ForAll @StringLength(max = 300) String one, @ForAll @StringLength(max = 300) String other) {
    assertThat(RequestPolicy.key("user", one).equals(RequestPolicy.key("user", other)))
        .isEqualTo(one.equals(other));
  }

  @Property
  void aValueCannotTakeTheKeyOfAnotherKind(@ForAll @NotEmpty String value) {
    assertThat(RequestPolicy.key("user", value))
        .doesNotStartWith("ip4:")
        .doesNotStartWith("ip6:")
        .isNotEqualTo("unknown")
        .isNotEqualTo(RequestPolicy.key("tenant", value));
  }

  @Example
  void theBorderIsAtTwoHundredBytesNotCharacters() {
    assertThat(RequestPolicy.key("user", "x".repeat(195))).startsWith("user:x").hasSize(200);
    assertThat(RequestPolicy.key("user", "x".repeat(196))).startsWith("user#sha256:");
    assertThat(RequestPolicy.key("user", "\u00fc".repeat(97))).startsWith("user:\u00fc");
    assertThat(RequestPolicy.key("user", "\u00fc".repeat(98))).startsWith("user#sha256:");
  }

  @Example
  void aValueThatLooksLikeADigestIsNotTheDigest() {
    String digest = RequestPolicy.key("user", "x".repeat(300));
    assertThat(RequestPolicy.key("user", digest.substring("user#".length()))).isNotEqualTo(digest);
    assertThat(RequestPolicy.key("user", digest)).isNotEqualTo(digest);
  }

  @Example
  void unpairedSurrogatesAreToldApartEvenInADigest() {
    String filler = "x".repeat(300);
    assertThat(RequestPolicy.key("user", "\ud800" + filler))
        .isNotEqualTo(RequestPolicy.key("user", "\ud801" + filler))
        .isNotEqualTo(RequestPolicy.key("user", "?" + filler));
  }

  @Example
  void aKindThatCouldBeTakenForAnAddressIsRefused() {
    for (String kind :
        new String[] {"ip4", "ip6", "", "User", "a:b", "a#b", "1a", "a".repeat(33)}) {
      assertThatThrownBy(() -> RequestPolicy.checkKind(kind))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + kind + "'");
    }
    assertThat(RequestPolicy.checkKind("api-key2")).isEqualTo("api-key2");
  }
}
