package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0,0.0.0.0",
    "255.255.255.255,255.255.255.255",
    "::,::",
    "::1,::1",
    "0:0:0:0:0:0:0:1,::1",
    "1::,1::",
    "2001:DB8::000A,2001:db8::a",
    "2001:db8:0:1:1:1:1:1,2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1,2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1,2001:db8::1:0:0:1",
    "1:2:3:4:5:6:7::,1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8,0:2:3:4:5:6:7:8",
    "64:ff9b::192.0.2.33,64:ff9b::c000:221",
    "::ffff:192.0.2.1,192.0.2.1",
    "::ffff:c000:201,192.0.2.1",
    "0:0:0:0:0:FFFF:192.0.2.1,192.0.2.1",
    "::192.0.2.1,::c000:201",
    "::ffff:0:192.0.2.1,::ffff:0:c000:201",
    "fe80::1%eth0,fe80::1",
    "fe80::1%25en1,fe80::1"
  })
  void aLiteralIsReadAndHasOneText(String text, String canonical) {
    assertThat(IpAddress.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        ":",
        "1",
        "127.1",
        "1.2.3",
        "2130706433",
        "010.0.0.1",
        "1.2.3.04",
        "00.0.0.0",
        "0x7f.0.0.1",
        "0x7f000001",
        "256.0.0.1",
        "1.2.3.4.",
        ".1.2.3.4",
        "1..2.3",
        "1.2.3.4.5",
        "1.2.3.+4",
        "-1.2.3.4",
        "1.2.3.4 ",
        " 1.2.3.4",
        "1.2.3.4%eth0",
        "1.2.3.4/8",
        "localhost",
        "\u0661.2.3.4",
        "\uff11.2.3.4",
        "99999999999.1.1.1",
        ":::",
        "1:::2",
        "1::2::3",
        "1:2",
        ":1",
        "1:",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8",
        "::1:2:3:4:5:6:7:8",
        "12345::",
        "::g",
        "::-1",
        "::1.2.3",
        "::1.2.3.4.5",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "::01.2.3.4",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1%",
        "::1% ",
        "::1%a/b",
        "::1%\n",
        "[::1]",
        "::1]",
        "::1/128"
      })
  void whatIsNoLiteralIsNotRead(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4,1.2.3.4",
    "1.2.3.4:0,1.2.3.4",
    "1.2.3.4:65535,1.2.3.4",
    "[::1],::1",
    "[::1]:80,::1",
    "[fe80::1%eth0]:80,fe80::1",
    "::1,::1",
    "2001:db8::1:80,2001:db8::1:80"
  })
  void aHopMayCarryAPort(String text, String address) {
    assertThat(IpAddress.parseHop(text)).hasToString(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.2.3.4:",
        "1.2.3.4:65536",
        "1.2.3.4:080800",
        "1.2.3.4:-1",
        "1.2.3.4:http",
        "[::1",
        "::1]",
        "[]",
        "[",
        "]",
        "[1.2.3.4]",
        "[1.2.3.4]:80",
        "[::1]80",
        "[::1]:",
        "[::1]:99999",
        "[[::1]]",
        "[::1]:80:80",
        "[::1]]:80",
        "unknown",
        "_hidden",
        "",
        ":80"
      })
  void whatIsNoHopIsNotRead(String text) {
    assertThat(IpAddress.parseHop(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8,10.255.255.255,11.0.0.0",
    "10.0.0.0/8,::ffff:10.1.2.3,::10.1.2.3",
    "192.0.2.7,192.0.2.7,192.0.2.6",
    "192.0.2.6/31,192.0.2.7,192.0.2.8",
    "::ffff:10.0.0.0/104,10.1.2.3,11.0.0.0",
    "fd00::/8,fdff::1,fe00::",
    "2001:db8::/33,2001:db8:7fff::,2001:db8:8000::",
    "2001:db8:0:1::/64,2001:db8:0:1:ffff::,2001:db8:0:2::",
    "2001:db8:0:1:8000::/65,2001:db8:0:1:8000::1,2001:db8:0:1::1",
    "::1,::1,::2",
    "8000::/1,ffff::,7fff::"
  })
  void aBlockContainsItsAddressesAlone(String block, String inside, String outside) {
    assertThat(Cidr.parse(block).contains(IpAddress.parse(inside))).isTrue();
    assertThat(Cidr.parse(block).contains(IpAddress.parse(outside))).isFalse();
  }

  @Test
  void aWideIpv6BlockHoldsNoIpv4Address() {
    assertThat(Cidr.parse("::/1").contains(IpAddress.parse("192.0.2.1"))).isFalse();
    assertThat(Cidr.parse("::/1").contains(IpAddress.parse("::ffff:192.0.2.1"))).isFalse();
    assertThat(Cidr.parse("::/1").contains(IpAddress.parse("::192.0.2.1"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8,the block starts at 10.0.0.0/8",
    "2001:db8::1/64,the block starts at 2001:db8::/64",
    "10.0.0.0/33,from 1 to 32",
    "::/129,from 1 to 128",
    "10.0.0.0/-1,from 1 to 32",
    "10.0.0.0/08,from 1 to 32",
    "10.0.0.0/,from 1 to 32",
    "10.0.0.0/8/8,from 1 to 32",
    "0.0.0.0/0,who trusts everyone",
    "::/0,who trusts everyone",
    "::ffff:0.0.0.0/95,at least 96",
    "::ffff:10.0.0.0/8,at least 96",
    "fe80::%eth0/64,without a zone",
    "10.0/8,literal",
    "localhost,literal",
    "[::1],literal",
    "'',literal",
    "' 10.0.0.0/8',literal"
  })
  void aBlockThatMeansSomethingElseIsRefused(String block, String message) {
    assertThatThrownBy(() -> Cidr.parse(block))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trusted proxy is '" + block + "'")
        .hasMessageContaining(message);
  }

  @Test
  void noClassOfTheFilterCanAskForANameBecauseNoneKnowsTheJdksNetworkClasses() throws Exception {
    Path classes =
        Path.of(RateLimitFilter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> asking;
    try (Stream<Path> files = Files.walk(classes)) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".class")).toList();
      assertThat(all).hasSizeGreaterThan(10);
      asking = all.stream().filter(file -> text(file).contains("java/net/")).toList();
    }
    assertThat(asking).isEmpty();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
