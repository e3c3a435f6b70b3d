package dev.weir.servlet;

import java.util.Objects;

/**
 * A block of addresses of one family, such as {@code 10.0.0.0/8}.
 *
 * @param base the first address, all bits after the prefix are zero
 * @param prefix how many of the 128 bits count; for IPv4 that is 96 more than written
 */
record Cidr(IpAddress base, int prefix) {

  static Cidr parse(String text) {
    Objects.requireNonNull(text, "trusted proxy");
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    IpAddress address = literal.indexOf('%') < 0 ? IpAddress.parse(literal) : null;
    if (address == null) {
      throw refused(text, "must be an IPv4 or IPv6 literal without a zone, and a prefix length");
    }
    boolean dotted = literal.indexOf(':') < 0;
    int most = dotted ? Integer.SIZE : 2 * Long.SIZE;
    int written = slash < 0 ? most : prefix(text, slash + 1);
    if (written < 1 || written > most) {
      throw refused(
          text,
          "must have a prefix length from 1 to "
              + most
              + (written == 0 ? ": who trusts everyone lets clients name their own address" : ""));
    }
    int prefix = dotted ? IpAddress.MAPPED_BITS + written : written;
    if (address.isIpv4() && prefix < IpAddress.MAPPED_BITS) {
      throw refused(text, "a mapped IPv4 address must have a prefix length of at least 96");
    }
    IpAddress base = address.masked(prefix);
    if (!base.equals(address)) {
      throw refused(
          text, "has bits set after its prefix, the block starts at " + base + "/" + written);
    }
    return new Cidr(base, prefix);
  }

  private static int prefix(String text, int start) {
    String digits = text.substring(start);
    boolean plain =
        !digits.isEmpty()
            && digits.length() <= 3
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')
            && (digits.length() == 1 || digits.charAt(0) != '0');
    return plain ? Integer.parseInt(digits) : -1;
  }

  private static IllegalArgumentException refused(String text, String reason) {
    return new IllegalArgumentException("trusted proxy is '" + text + "', " + reason);
  }

  /** An IPv4 address is in IPv4 blocks only, though its bits would be in a wide IPv6 block too. */
  boolean contains(IpAddress address) {
    return address.isIpv4() == base.isIpv4() && address.masked(prefix).equals(base);
  }
}
