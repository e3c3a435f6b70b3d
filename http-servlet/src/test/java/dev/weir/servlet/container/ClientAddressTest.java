package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.servlet.ClientAddress;
import dev.weir.servlet.RateLimitFilter;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of other filters in finding out who asks, each with the way in which it was abused. */
@Tag("container")
class ClientAddressTest {

  private final Server.Heard heard = new Server.Heard();

  private Server behind(ClientAddress client) throws Exception {
    return Server.with(
        RateLimitFilter.builder(standing(1000, Duration.ofMinutes(1)))
            .clientAddress(client)
            .listener(heard)
            .build(),
        new Server.Ok());
  }

  private String key(Server server, String... headers) throws Exception {
    assertThat(server.get("/", headers).status()).isEqualTo(200);
    return heard.key;
  }

  @Test // CVE-2025-59152 and many more: the header is believed by default
  void nobodyIsTrustedByDefault() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1))).listener(heard).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/", "X-Forwarded-For: 192.0.2.1").status()).isEqualTo(200);
      for (String header :
          new String[] {
            "X-Forwarded-For: 192.0.2.2",
            "Forwarded: for=192.0.2.2",
            "X-Real-IP: 192.0.2.2",
            "True-Client-IP: 192.0.2.2",
            "CF-Connecting-IP: 192.0.2.2",
            "Fastly-Client-IP: 192.0.2.2",
            "X-Client-IP: 192.0.2.2",
            "X-Cluster-Client-IP: 192.0.2.2",
            "X-Forwarded: for=192.0.2.2",
            "Via: 1.1 192.0.2.2"
          }) {
        assertThat(server.get("/", header).status()).as(header).isEqualTo(429);
        assertThat(heard.key).isEqualTo("ip4:127.0.0.1");
      }
    }
  }

  @Test
  void aPeerOutsideTheTrustedBlocksIsNotBelieved() throws Exception {
    try (Server server = behind(ClientAddress.behind("10.0.0.0/8", "::1"))) {
      assertThat(key(server, "X-Forwarded-For: 192.0.2.1")).isEqualTo("ip4:127.0.0.1");
    }
  }

  @Test // CVE-2026-110723: the leftmost hop, which the client writes itself, is taken
  void theClientIsTheLastHopThatIsNotTrusted() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1", "10.0.0.0/8"))) {
      assertThat(key(server, "X-Forwarded-For: 192.0.2.1")).isEqualTo("ip4:192.0.2.1");
      Set<String> keys = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        keys.add(key(server, "X-Forwarded-For: 198.51.100." + i + ", 192.0.2.1, 10.1.2.3"));
      }
      assertThat(keys).containsExactly("ip4:192.0.2.1");
    }
  }

  @Test
  void severalHeaderLinesAreOneListInTheirOrder() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1", "10.0.0.0/8"))) {
      assertThat(
              key(
                  server,
                  "X-Forwarded-For: 198.51.100.1",
                  "X-Forwarded-For: 192.0.2.1",
                  "X-Forwarded-For: 10.1.2.3, 10.1.2.4"))
          .isEqualTo("ip4:192.0.2.1");
    }
  }

  @Test // CVE-2024-45410: "Connection:" names the header, and it is dropped or another one believed
  void aHeaderThatConnectionNamesIsReadAllTheSame() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1"))) {
      Answer answer =
          server.raw(
              "GET / HTTP/1.1\r\nHost: localhost\r\n"
                  + "Connection: close, X-Forwarded-For, X-Real-IP, Forwarded\r\n"
                  + "X-Forwarded-For: 192.0.2.1\r\nX-Real-IP: 198.51.100.1\r\n"
                  + "Forwarded: for=198.51.100.2\r\n\r\n");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(heard.key).isEqualTo("ip4:192.0.2.1");
    }
  }

  @Test // the same fault with a proxy that obeys: the header never arrives
  void withoutTheHeaderTheClientIsThePeerAndNoOtherHeaderIsBelieved() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1"))) {
      assertThat(key(server)).isEqualTo("ip4:127.0.0.1");
      assertThat(key(server, "Forwarded: for=192.0.2.1", "X-Real-IP: 192.0.2.1"))
          .isEqualTo("ip4:127.0.0.1");
    }
  }

  @Test // CVE-2026-30827: mapped addresses fall into one block of IPv6, and so into one bucket
  void mappedAddressesAreTheIpv4AddressesTheyMap() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1"))) {
      assertThat(key(server, "X-Forwarded-For: ::ffff:192.0.2.1")).isEqualTo("ip4:192.0.2.1");
      assertThat(key(server, "X-Forwarded-For: ::FFFF:c000:0202")).isEqualTo("ip4:192.0.2.2");
      assertThat(key(server, "X-Forwarded-For: [0:0:0:0:0:ffff:c000:203]:443"))
          .isEqualTo("ip4:192.0.2.3");
    }
  }

  @Test
  void aClientCannotGetAnotherBucketByAnotherSpellingOrAnotherAddressOfItsNetwork()
      throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1"))) {
      Set<String> keys = new HashSet<>();
      for (String spelling :
          new String[] {
            "2001:db8:1:2::1",
            "2001:0DB8:0001:0002:0000:0000:0000:0001",
            "[2001:db8:1:2::1]",
            "[2001:db8:1:2::1]:50000",
            "2001:db8:1:2::192.0.2.1",
            "2001:db8:1:2:ffff:ffff:ffff:ffff",
            "2001:db8:1:2::1%eth0"
          }) {
        keys.add(key(server, "X-Forwarded-For: " + spelling));
      }
      assertThat(keys).containsExactly("ip6:2001:db8:1:2::/64");
    }
  }

  @Test
  void anUnreadableHopEndsTheWalkAtThePeer() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1", "10.0.0.0/8"))) {
      for (String hop :
          new String[] {
            "unknown",
            "localhost",
            "127.1",
            "2130706433",
            "010.0.0.1",
            "0x7f.0.0.1",
            "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1",
            "1.2.3.4:",
            "1.2.3.4:70000",
            "[::1",
            "::1]",
            "[1.2.3.4]",
            "1:2:3:4:5:6:7",
            ":::",
            "1.2.3.4%eth0",
            "::1%",
            "1.2.3.4/32",
            "example.org:80",
            "-",
            "?"
          }) {
        assertThat(key(server, "X-Forwarded-For: 192.0.2.1, " + hop + ", 10.0.0.1"))
            .as(hop)
            .isEqualTo("ip4:127.0.0.1");
      }
    }
  }

  @Test
  void onlyTheNearestHopsAreReadHoweverLongTheListIs() throws Exception {
    try (Server server = behind(ClientAddress.behind("127.0.0.1", "10.0.0.0/8"))) {
      String attack = "192.0.2.66, ".repeat(300);
      assertThat(key(server, "X-Forwarded-For: " + attack + "198.51.100.7, 10.0.0.1"))
          .isEqualTo("ip4:198.51.100.7");
    }
  }

  @Test
  void forwardedIsReadWhenItIsChosenAndThenAlone() throws Exception {
    ClientAddress client = ClientAddress.behind("127.0.0.1", "10.0.0.0/8").readingForwarded();
    try (Server server = behind(client)) {
      assertThat(
              key(
                  server,
                  "X-Forwarded-For: 198.51.100.1",
                  "Forwarded: for=198.51.100.2",
                  "Forwarded: For=\"[2001:db8::1]:4711\";proto=https, for=10.0.0.1;by=10.0.0.2"))
          .isEqualTo("ip6:2001:db8::/64");
      assertThat(key(server, "X-Forwarded-For: 198.51.100.1")).isEqualTo("ip4:127.0.0.1");
    }
  }

  @Test
  void aSingleAddressHeaderIsReadWhenItIsNamed() throws Exception {
    ClientAddress client = ClientAddress.behind("127.0.0.1").readingHeader("X-Real-IP");
    try (Server server = behind(client)) {
      assertThat(key(server, "X-Real-IP: 192.0.2.1", "X-Forwarded-For: 198.51.100.1"))
          .isEqualTo("ip4:192.0.2.1");
      assertThat(key(server, "X-Real-IP: 192.0.2.1, 192.0.2.2")).isEqualTo("ip4:127.0.0.1");
      assertThat(key(server, "X-Real-IP: 192.0.2.1", "X-Real-IP: 192.0.2.2"))
          .isEqualTo("ip4:127.0.0.1");
    }
  }

  @Test
  void aUserCannotBeNamedLikeAnAddress() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1)))
            .keyBy("user", request -> request.getHeader("Test-User"))
            .listener(heard)
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/", "Test-User: ip4:127.0.0.1").status()).isEqualTo(200);
      assertThat(heard.key).isEqualTo("user:ip4:127.0.0.1");
      assertThat(server.get("/").status()).isEqualTo(200);
      assertThat(heard.key).isEqualTo("ip4:127.0.0.1");
      assertThat(server.get("/", "Test-User: ip4:127.0.0.1").status()).isEqualTo(429);
    }
  }
}
