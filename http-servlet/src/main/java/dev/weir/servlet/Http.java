package dev.weir.servlet;

import java.util.Objects;

/** The small words of HTTP's grammar. */
final class Http {

  private Http() {}

  /** Tells whether a text is a token: a header name or a method. */
  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!alphanumeric && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Refuses what is no token. */
  static String checkToken(String what, String text) {
    Objects.requireNonNull(text, what);
    if (!isToken(text)) {
      throw new IllegalArgumentException(
          what + " is '" + text + "', must be one or more letters, digits or !#$%&'*+-.^_`|~");
    }
    return text;
  }

  /** Removes the white space that may stand around a value: spaces and tabs, nothing else. */
  static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
