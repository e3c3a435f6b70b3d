package dev.weir.servlet;

import org.jspecify.annotations.Nullable;

/**
 * An IP address as its 128 bits, read from a literal and from nothing else: no name is ever looked
 * up. An IPv4 address is the IPv6 address that maps it, so that one address has one value however
 * it is spelled.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
record IpAddress(long high, long low) {

  private static final int GROUPS = 8;

  /** What precedes the 32 bits of an IPv4 address. */
  static final int MAPPED_BITS = 96;

  static IpAddress ofIpv4(int bits) {
    return new IpAddress(0, 0xffff_0000_0000L | Integer.toUnsignedLong(bits));
  }

  boolean isIpv4() {
    return high == 0 && low >>> 32 == 0xffff;
  }

  /** Returns this address with all but the first so many of its 128 bits cleared. */
  IpAddress masked(int prefix) {
    if (prefix >= Long.SIZE) {
      return new IpAddress(high, low & leading(prefix - Long.SIZE));
    }
    return new IpAddress(high & leading(prefix), 0);
  }

  private static long leading(int bits) {
    return bits == 0 ? 0 : -1L << (Long.SIZE - bits);
  }

  /** Reads a literal; null if it is none. */
  static @Nullable IpAddress parse(String text) {
    if (text.indexOf(':') < 0) {
      long bits = ipv4(text, 0, text.length());
      return bits < 0 ? null : ofIpv4((int) bits);
    }
    int zone = text.indexOf('%');
    if (zone < 0) {
      return ipv6(text, text.length());
    }
    return isZone(text, zone + 1) ? ipv6(text, zone) : null;
  }

  /** Reads a literal that may carry a port or stand in brackets; null if it is none. */
  static @Nullable IpAddress parseHop(String text) {
    int end = text.length();
    int colon = text.lastIndexOf(':');
    if (text.startsWith("[")) {
      int bracket = text.lastIndexOf(']');
      boolean ends = bracket == end - 1 || (bracket == colon - 1 && isPort(text, colon + 1));
      if (bracket < 0 || !ends) {
        return null;
      }
      String inside = text.substring(1, bracket);
      return inside.indexOf(':') < 0 ? null : parse(inside);
    }
    if (colon < 0 || colon != text.indexOf(':')) {
      return parse(text);
    }
    return isPort(text, colon + 1) ? parse(text.substring(0, colon)) : null;
  }

  private static boolean isPort(String text, int start) {
    int port = 0;
    for (int i = start; i < text.length(); i++) {
      int digit = digit(text.charAt(i));
      if (digit < 0 || i - start == 5) {
        return false;
      }
      port = port * 10 + digit;
    }
    return start < text.length() && port <= 0xffff;
  }

  /** The unreserved characters of a URI, and the percent sign that a URI puts before a zone. */
  private static boolean isZone(String text, int start) {
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && digit(c) < 0 && "-._~%".indexOf(c) < 0) {
        return false;
      }
    }
    return start < text.length();
  }

  /** Returns the 32 bits of four decimal numbers without leading zeros, or -1. */
  private static long ipv4(String text, int start, int end) {
    long bits = 0;
    int i = start;
    for (int octet = 0; octet < 4; octet++) {
      if (octet > 0 && (i == end || text.charAt(i++) != '.')) {
        return -1;
      }
      int first = i;
      int value = 0;
      for (int digit; i < end && (digit = digit(text.charAt(i))) >= 0; i++) {
        value = value * 10 + digit;
        if (value > 255 || (i > first && text.charAt(first) == '0')) {
          return -1;
        }
      }
      if (i == first) {
        return -1;
      }
      bits = bits << 8 | value;
    }
    return i == end ? bits : -1;
  }

  private static @Nullable IpAddress ipv6(String text, int end) {
    int[] groups = new int[GROUPS];
    int count = 0;
    int gap = -1; // how many groups stand before the "::"
    int i = 0;
    if (text.startsWith("::") && end >= 2) {
      gap = 0;
      i = 2;
    }
    while (i < end) {
      int start = i;
      int value = 0;
      for (int digit; i < end && i - start < 4 && (digit = hex(text.charAt(i))) >= 0; i++) {
        value = value << 4 | digit;
      }
      if (i == start || count == GROUPS) {
        return null;
      }
      if (i < end && text.charAt(i) == '.') {
        long bits = ipv4(text, start, end);
        if (bits < 0 || count > GROUPS - 2) {
          return null;
        }
        groups[count++] = (int) (bits >>> 16);
        groups[count++] = (int) (bits & 0xffff);
        break;
      }
      groups[count++] = value;
      if (i == end) {
        break;
      }
      if (text.charAt(i++) != ':' || i == end) {
        return null;
      }
      if (text.charAt(i) == ':') {
        if (gap >= 0) {
          return null;
        }
        gap = count;
        i++;
      }
    }
    if (gap < 0 ? count != GROUPS : count == GROUPS) {
      return null;
    }
    long[] halves = new long[2];
    for (int g = 0; g < count; g++) {
      int place = gap < 0 || g < gap ? g : GROUPS - count + g;
      halves[place / 4] |= (long) groups[g] << (48 - place % 4 * 16);
    }
    return new IpAddress(halves[0], halves[1]);
  }

  private static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : -1;
  }

  private static int hex(char c) {
    int letter = c | 0x20; // lower case
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : digit(c);
  }

  /** Returns the one text of this address: dotted for IPv4, and RFC 5952 for IPv6. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(39);
    if (isIpv4()) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        text.append(low >>> shift & 0xff).append(shift > 0 ? "." : "");
      }
      return text.toString();
    }
    int gap = 0;
    int gapLength = 1; // a single zero group is written out
    for (int start = 0; start < GROUPS; start++) {
      int length = 0;
      while (start + length < GROUPS && group(start + length) == 0) {
        length++;
      }
      if (length > gapLength) {
        gap = start;
        gapLength = length;
      }
    }
    for (int g = 0; g < GROUPS; g++) {
      if (g == gap && gapLength > 1) {
        text.append("::");
        g += gapLength - 1;
      } else {
        if (g > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(g)));
      }
    }
    return text.toString();
  }

  private int group(int index) {
    long half = index < 4 ? high : low;
    return (int) (half >>> (48 - index % 4 * 16)) & 0xffff;
  }
}
