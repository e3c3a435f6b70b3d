package dev.weir.servlet;

import java.util.List;
import java.util.Objects;

/**
 * A pattern for paths: one path, or with a trailing {@code /*} a path and all below it.
 *
 * @param base the path, empty for everything
 * @param below whether paths below the base match too
 */
record PathPattern(String base, boolean below) {

  private static final String BELOW = "/*";

  static final PathPattern EVERYTHING = new PathPattern("", true);

  static PathPattern parse(String text) {
    Objects.requireNonNull(text, "path");
    boolean below = text.endsWith(BELOW);
    String base = below ? text.substring(0, text.length() - BELOW.length()) : text;
    boolean normal =
        below ? base.isEmpty() || (isNormal(base) && base.length() > 1) : isNormal(base);
    if (!normal || base.chars().anyMatch(c -> "*%;\\?#".indexOf(c) >= 0 || c < ' ')) {
      throw new IllegalArgumentException(
          "path is '"
              + text
              + "', must be a decoded path such as /login, or one with all below it such as /api/*:"
              + " no other *, no %, ;, \\, ? or #, no empty, . or .. segment, no slash at the end");
    }
    return new PathPattern(base, below);
  }

  private static boolean isNormal(String path) {
    return RequestPath.normalise(path).equals(path);
  }

  static boolean anyMatches(List<PathPattern> patterns, List<String> readings, boolean ignoreCase) {
    for (PathPattern pattern : patterns) {
      for (String path : readings) {
        if (pattern.matches(path, ignoreCase)) {
          return true;
        }
      }
    }
    return false;
  }

  boolean matches(String path, boolean ignoreCase) {
    int length = base.length();
    return path.regionMatches(ignoreCase, 0, base, 0, length)
        && (path.length() == length || (below && path.charAt(length) == '/'));
  }
}
