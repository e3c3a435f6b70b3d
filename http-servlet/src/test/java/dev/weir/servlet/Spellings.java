package dev.weir.servlet;

import java.util.Random;
import java.util.regex.Pattern;

/** Makes spellings of addresses from their bits, and knows the grammar of RFC 3986 for them. */
final class Spellings {

  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";
  private static final String IPV4 = OCTET + "(?:\\." + OCTET + "){3}";
  private static final String H16 = "[0-9A-Fa-f]{1,4}";
  private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";

  /** RFC 3986, section 3.2.2, line by line. */
  private static final Pattern LITERAL =
      Pattern.compile(
          String.join(
                  "|",
                  IPV4,
                  "(?:H:){6}L",
                  "::(?:H:){5}L",
                  "(?:H)?::(?:H:){4}L",
                  "(?:(?:H:){0,1}H)?::(?:H:){3}L",
                  "(?:(?:H:){0,2}H)?::(?:H:){2}L",
                  "(?:(?:H:){0,3}H)?::H:L",
                  "(?:(?:H:){0,4}H)?::L",
                  "(?:(?:H:){0,5}H)?::H",
                  "(?:(?:H:){0,6}H)?::")
              .replace("H", H16)
              .replace("L", LS32));

  private static final String DAMAGE = "0123456789abcfFgxX:::...%[]/ ,-+\u0661\uff11\u0000\ud800";

  private Spellings() {}

  static boolean isLiteral(String text) {
    return LITERAL.matcher(text).matches();
  }

  /** Bits that are often zero, so that there is something to leave out, and sometimes mapped. */
  static int[] randomGroups(Random random) {
    int[] groups = new int[8];
    boolean mapped = random.nextInt(4) == 0;
    for (int i = mapped ? 6 : 0; i < 8; i++) {
      groups[i] = random.nextInt(3) == 0 ? 0 : random.nextInt(0x10000) >>> random.nextInt(16);
    }
    if (mapped) {
      groups[5] = 0xffff;
    }
    return groups;
  }

  static boolean isMapped(int[] groups) {
    for (int i = 0; i < 5; i++) {
      if (groups[i] != 0) {
        return false;
      }
    }
    return groups[5] == 0xffff;
  }

  static String dotted(int[] groups) {
    return (groups[6] >> 8)
        + "."
        + (groups[6] & 255)
        + "."
        + (groups[7] >> 8)
        + "."
        + (groups[7] & 255);
  }

  /** One of the ways to write an address down. */
  static String literal(int[] groups, Random random) {
    if (isMapped(groups) && random.nextBoolean()) {
      return dotted(groups);
    }
    boolean dottedTail = random.nextInt(4) == 0;
    int count = dottedTail ? 6 : 8;
    int gapStart = -1;
    int gapEnd = -1;
    if (random.nextBoolean()) {
      int start = random.nextInt(count);
      int end = start;
      while (end < count && groups[end] == 0) {
        end++;
      }
      if (end > start) {
        gapStart = start;
        gapEnd = end - random.nextInt(end - start);
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (i == gapStart) {
        text.append("::");
        i = gapEnd - 1;
        continue;
      }
      if (i > 0 && i != gapEnd) {
        text.append(':');
      }
      text.append(group(groups[i], random));
    }
    if (dottedTail) {
      text.append(gapEnd == count ? "" : ":").append(dotted(groups));
    }
    return text.toString();
  }

  private static String group(int value, Random random) {
    String digits = Integer.toHexString(value);
    int zeros = random.nextInt(5 - digits.length());
    String padded = "0".repeat(zeros) + digits;
    return random.nextBoolean() ? padded : padded.toUpperCase(java.util.Locale.ROOT);
  }

  /** A literal as a proxy may write it: with a zone, in brackets, with a port. */
  static String hop(int[] groups, Random random) {
    String literal = literal(groups, random);
    boolean ipv6 = literal.indexOf(':') >= 0;
    if (ipv6 && random.nextInt(4) == 0) {
      literal += "%eth" + random.nextInt(3);
    }
    boolean port = random.nextInt(3) == 0;
    if (ipv6 && (port || random.nextInt(3) == 0)) {
      literal = "[" + literal + "]";
    }
    return port ? literal + ":" + random.nextInt(0x10000) : literal;
  }

  /** Changes a few characters. */
  static String damaged(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(changed.length() + 1);
      char c = DAMAGE.charAt(random.nextInt(DAMAGE.length()));
      switch (random.nextInt(3)) {
        case 0 -> changed.insert(at, c);
        case 1 -> {
          if (at < changed.length()) {
            changed.setCharAt(at, c);
          }
        }
        default -> {
          if (at < changed.length()) {
            changed.deleteCharAt(at);
          }
        }
      }
    }
    return changed.toString();
  }
}
