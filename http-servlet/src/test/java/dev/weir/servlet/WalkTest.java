package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WalkTest {

  private static final ClientAddress PROXIED = ClientAddress.behind("10.0.0.0/8", "fd00::/8");
  private static final String PEER = "10.0.0.1";

  private static String walk(String... lines) {
    return PROXIED.keyOf(Requests.from(PEER, "X-Forwarded-For", lines));
  }

  private static String forwarded(String... lines) {
    return PROXIED.readingForwarded().keyOf(Requests.from(PEER, "Forwarded", lines));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.1                        | ip4:192.0.2.1",
        "198.51.100.1, 192.0.2.1          | ip4:192.0.2.1",
        "198.51.100.1, 192.0.2.1, 10.2.3.4| ip4:192.0.2.1",
        "192.0.2.1, fd00::1, 10.2.3.4     | ip4:192.0.2.1",
        "10.3.3.3, 10.2.2.2               | ip4:10.3.3.3",
        "junk, 192.0.2.1                  | ip4:192.0.2.1",
        "192.0.2.1, junk                  | ip4:10.0.0.1",
        "192.0.2.1, junk, 10.2.2.2        | ip4:10.0.0.1",
        "192.0.2.1,,  ,\t10.2.2.2,        | ip4:192.0.2.1",
        "',  ,'                           | ip4:10.0.0.1",
        "192.0.2.1:1234                   | ip4:192.0.2.1",
        "[2001:db8::1]:1234               | ip6:2001:db8::/64",
        "192.0.2.1 198.51.100.1           | ip4:10.0.0.1",
        "\"192.0.2.1\"                    | ip4:10.0.0.1"
      })
  void theClientIsTheLastUntrustedHop(String line, String key) {
    assertThat(walk(line)).isEqualTo(key);
  }

  @Test
  void linesAreJoinedInOrder() {
    assertThat(walk("198.51.100.1", "192.0.2.1", "10.2.2.2, 10.3.3.3")).isEqualTo("ip4:192.0.2.1");
    assertThat(walk("192.0.2.1", "", "10.2.2.2")).isEqualTo("ip4:192.0.2.1");
    assertThat(walk()).isEqualTo("ip4:10.0.0.1");
  }

  @Test
  void thirtyTwoHopsAreReadAndNoMore() {
    assertThat(walk("192.0.2.1" + ", 10.2.2.2".repeat(31))).isEqualTo("ip4:192.0.2.1");
    assertThat(walk("192.0.2.1, 10.9.9.9" + ", 10.2.2.2".repeat(31))).isEqualTo("ip4:10.9.9.9");
    assertThat(walk("192.0.2.1", "10.9.9.9" + ", 10.2.2.2".repeat(31))).isEqualTo("ip4:10.9.9.9");
  }

  @Test
  void twoKibibytesAreReadAndAHopThatIsCutIsNotTakenForAnother() {
    String last = "," + " ".repeat(2048 - 9) + "10.2.2.2"; // 2,048 characters
    assertThat(walk("192.0.2.1" + last)).isEqualTo("ip4:10.2.2.2");
    assertThat(walk("192.0.2.1" + last.replaceFirst(" {9}", ""))).isEqualTo("ip4:192.0.2.1");
    // All but its first digit would fit, and be another address.
    assertThat(walk("192.0.2.1" + last.replaceFirst(" {8}", ""))).isEqualTo("ip4:10.2.2.2");
    // The comma between two lines counts as if they were one.
    String line = last.substring(1);
    assertThat(walk("192.0.2.1", line.substring(9))).isEqualTo("ip4:192.0.2.1");
    assertThat(walk("192.0.2.1", line.substring(8))).isEqualTo("ip4:10.2.2.2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "for=192.0.2.1                                | ip4:192.0.2.1",
        "FOR=192.0.2.1;proto=http;by=10.0.0.9         | ip4:192.0.2.1",
        "by=10.0.0.9; for=192.0.2.1                   | ip4:192.0.2.1",
        "for=\"192.0.2.1:80\"                         | ip4:192.0.2.1",
        "for=\"[2001:db8::1]\"                        | ip6:2001:db8::/64",
        "for=\"[2001:db8::1]:80\", for=10.2.2.2       | ip6:2001:db8::/64",
        "for=198.51.100.1, for=192.0.2.1              | ip4:192.0.2.1",
        "for=\"192.0.2\\.1\"                          | ip4:192.0.2.1",
        "for=unknown                                  | ip4:10.0.0.1",
        "for=_hidden                                  | ip4:10.0.0.1",
        "for=192.0.2.1, for=_proxy, for=10.2.2.2      | ip4:10.0.0.1",
        "proto=https                                  | ip4:10.0.0.1",
        "for=192.0.2.1;for=192.0.2.2                  | ip4:10.0.0.1",
        "for=                                         | ip4:10.0.0.1",
        "for                                          | ip4:10.0.0.1",
        "192.0.2.1                                    | ip4:10.0.0.1",
        "for=\"192.0.2.1                              | ip4:10.0.0.1",
        "for=\"192.0.2.1\"x                           | ip4:10.0.0.1",
        "for=192.0.2.1;;                              | ip4:10.0.0.1",
        "a b=c;for=192.0.2.1                          | ip4:10.0.0.1",
        // What a client sent before the proxy appended its own, with quotes to swallow it.
        "for=\", for=192.0.2.1                        | ip4:192.0.2.1",
        "for=\"a, for=192.0.2.1;host=\"b\"            | ip4:192.0.2.1",
        "for=198.51.100.1;x=\"\\, for=192.0.2.1       | ip4:192.0.2.1",
        // What a client smuggled into a value that the proxy quotes.
        "for=192.0.2.1;host=\"a, for=198.51.100.1\"   | ip4:192.0.2.1",
        "for=192.0.2.1;host=\"a\\\", for=6.6.6.6, b=\\\"\" | ip4:192.0.2.1",
        "for=192.0.2.1;host=\"a\\\\\", for=10.2.2.2   | ip4:192.0.2.1"
      })
  void forwardedIsReadElementByElementFromTheRight(String line, String key) {
    assertThat(forwarded(line)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "@", "/var/run/app.sock", "localhost", "peer.example.org", "10.0.0.1.5"})
  void aPeerWithoutAnAddressIsUnknownAndNeverTrusted(String peer) {
    assertThat(PROXIED.keyOf(Requests.from(peer, "X-Forwarded-For", "192.0.2.1")))
        .isEqualTo("unknown");
  }

  @Test
  void aPeerMayBeSpelledInAnyWay() {
    for (String peer :
        new String[] {"::ffff:10.0.0.1", "[::ffff:a00:1]", "0:0:0:0:0:ffff:a00:1", "10.0.0.1:80"}) {
      assertThat(PROXIED.keyOf(Requests.from(peer, "X-Forwarded-For", "192.0.2.1")))
          .isEqualTo("ip4:192.0.2.1");
    }
  }

  @Test
  void thePrefixOfIpv6AddressesCanBeChosen() {
    ClientAddress client = ClientAddress.ofPeer();
    String peer = "2001:db8:1:2:3:4:5:6";
    assertThat(client.keyOf(Requests.from(peer, "-"))).isEqualTo("ip6:2001:db8:1:2::/64");
    assertThat(client.withIpv6Prefix(48).keyOf(Requests.from(peer, "-")))
        .isEqualTo("ip6:2001:db8:1::/48");
    assertThat(client.withIpv6Prefix(56).keyOf(Requests.from(peer, "-")))
        .isEqualTo("ip6:2001:db8:1::/56");
    assertThat(client.withIpv6Prefix(128).keyOf(Requests.from(peer, "-")))
        .isEqualTo("ip6:2001:db8:1:2:3:4:5:6/128");
    assertThatThrownBy(() -> client.withIpv6Prefix(47)).hasMessageContaining("from 48 to 128");
    assertThatThrownBy(() -> client.withIpv6Prefix(129)).hasMessageContaining("from 48 to 128");
  }

  @Test
  void whatCannotWorkIsRefused() {
    assertThatThrownBy(ClientAddress::behind)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> ClientAddress.behind("10.0.0.1", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ClientAddress.ofPeer().readingForwarded())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ClientAddress.behind");
    assertThatThrownBy(() -> PROXIED.readingHeader("X Real IP"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'X Real IP'");
  }
}
