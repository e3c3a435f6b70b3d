package dev.weir.redis;

import java.util.Locale;

/**
 * The names of one limiter's keys on the server, {@code weir1:<tag>:<namespace>:<key>}.
 *
 * <p>Different keys, namespaces and algorithms never share a name: what would end a part ({@code :}
 * in the namespace), choose a cluster slot ({@code {}}), or not survive UTF-8 (half of a surrogate
 * pair) is written as {@code %} and its number.
 */
final class RedisKeys {

  private final String prefix;

  RedisKeys(String tag, String namespace) {
    this.prefix = "weir1:" + tag + ":" + encode(namespace, true) + ":";
  }

  String name(String key) {
    return prefix + encode(key, false);
  }

  private static String encode(String text, boolean colonToo) {
    for (int i = 0; i < text.length(); i++) {
      if (isEncoded(text, i, colonToo)) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (int j = 0; j < text.length(); j++) {
          char c = text.charAt(j);
          if (!isEncoded(text, j, colonToo)) {
            encoded.append(c);
          } else {
            encoded.append(String.format(Locale.ROOT, c < 0x80 ? "%%%02X" : "%%u%04X", (int) c));
          }
        }
        return encoded.toString();
      }
    }
    return text;
  }

  private static boolean isEncoded(String text, int index, boolean colonToo) {
    char c = text.charAt(index);
    return c == '%'
        || c == '{'
        || c == '}'
        || (c == ':' && colonToo)
        || (Character.isSurrogate(c) && !isPaired(text, index));
  }

  private static boolean isPaired(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        ? index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1))
        : index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
  }
}
