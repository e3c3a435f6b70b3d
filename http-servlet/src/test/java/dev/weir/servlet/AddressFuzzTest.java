package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AddressFuzzTest {

  private static final ClientAddress CLIENT = ClientAddress.ofPeer();

  @Test
  void everySpellingOfAnAddressIsThatAddressAndGivesItsOneKey() throws Exception {
    Random random = Fuzz.random();
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      int[] groups = Spellings.randomGroups(random);
      String hop = Spellings.hop(groups, random);
      IpAddress address = IpAddress.parseHop(hop);
      if (!bits(groups).equals(address)) {
        fail("%s is read as %s", hop, address);
      }
      String key = CLIENT.keyOf(Requests.from(hop, "none"));
      if (!key.equals(expectedKey(groups))) {
        fail("%s has the key %s, must be %s", hop, key, expectedKey(groups));
      }
    }
  }

  private static IpAddress bits(int[] groups) {
    long[] halves = new long[2];
    for (int i = 0; i < 8; i++) {
      halves[i / 4] = halves[i / 4] << 16 | groups[i];
    }
    return new IpAddress(halves[0], halves[1]);
  }

  /** By way of the JDK: from bits to its text, which spells out every group, and back to a text. */
  private static String expectedKey(int[] groups) throws UnknownHostException {
    if (Spellings.isMapped(groups)) {
      return "ip4:" + Spellings.dotted(groups);
    }
    byte[] network = new byte[16];
    for (int i = 0; i < 4; i++) {
      network[2 * i] = (byte) (groups[i] >> 8);
      network[2 * i + 1] = (byte) groups[i];
    }
    return "ip6:" + compressed(InetAddress.getByAddress(network).getHostAddress()) + "/64";
  }

  /** RFC 5952, section 4.2, on a text whose last four groups are zero. */
  private static String compressed(String full) {
    String start = full;
    while (start.endsWith(":0")) {
      start = start.substring(0, start.length() - 2);
    }
    return start.equals("0") ? "::" : start + "::";
  }

  @Test
  void whatIsReadIsExactlyWhatTheGrammarAllows() {
    Random random = Fuzz.random();
    int literals = 0;
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      String text =
          Spellings.damaged(Spellings.literal(Spellings.randomGroups(random), random), random);
      if (text.indexOf('%') >= 0) {
        IpAddress.parse(text); // zones are no part of that grammar; it must only not fail
        continue;
      }
      boolean literal = Spellings.isLiteral(text);
      if (literal != (IpAddress.parse(text) != null)) {
        fail("'%s' is %s literal", text, literal ? "a" : "no");
      }
      literals += literal ? 1 : 0;
    }
    assertThat(literals).isBetween(Fuzz.INPUTS / 20, Fuzz.INPUTS * 19 / 20);
  }

  @Test
  void theTextOfAnAddressIsReadAsThatAddress() {
    Random random = Fuzz.random();
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      IpAddress address = bits(Spellings.randomGroups(random));
      if (!address.equals(IpAddress.parse(address.toString()))) {
        fail("%s is not read back", address);
      }
    }
  }

  @Test
  void noHeaderMakesTheWalkFailOrNamesAnythingButAnAddressKey() {
    Random random = Fuzz.random();
    ClientAddress[] clients = {
      ClientAddress.behind("10.0.0.0/8", "fc00::/7"),
      ClientAddress.behind("10.0.0.0/8", "fc00::/7").readingForwarded(),
      ClientAddress.behind("10.0.0.0/8", "fc00::/7").readingHeader("X-Real-IP")
    };
    String[] headers = {"X-Forwarded-For", "Forwarded", "X-Real-IP"};
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      int kind = random.nextInt(3);
      String[] lines = new String[random.nextInt(3)];
      for (int l = 0; l < lines.length; l++) {
        lines[l] = line(kind, random);
      }
      String key = clients[kind].keyOf(Requests.from("10.0.0.1", headers[kind], lines));
      if (!isAddressKey(key)) {
        fail("%s gives the key %s", String.join(" | ", lines), key);
      }
    }
  }

  private static boolean isAddressKey(String key) {
    String literal =
        key.startsWith("ip4:")
            ? key.substring(4)
            : key.startsWith("ip6:") && key.endsWith("/64")
                ? key.substring(4, key.length() - 3)
                : "";
    return Spellings.isLiteral(literal);
  }

  private static String line(int kind, Random random) {
    StringBuilder line = new StringBuilder();
    for (int hops = random.nextInt(5); hops >= 0; hops--) {
      String hop =
          random.nextInt(3) == 0
              ? "10." + random.nextInt(256) + ".0.1"
              : Spellings.hop(Spellings.randomGroups(random), random);
      hop = random.nextInt(5) == 0 ? Spellings.damaged(hop, random) : hop;
      line.append(kind == 1 ? "for=\"" + hop + "\";host=\"a,\\\"b\"" : hop);
      line.append(hops > 0 ? ", " : "");
    }
    String text = line.toString();
    return random.nextInt(5) == 0 ? text.substring(random.nextInt(text.length())) : text;
  }
}
