package dev.weir.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request, decoded and normalised, in every way in which what comes after the filter
 * may read it.
 *
 * <p>Nearly always there is one. But whether {@code /a/x%2F..%2F..%2Fb} means something below
 * {@code /a} or {@code /b} depends on the container, its settings and the framework behind it. Then
 * each reading is one of this list, and a policy counts the request if it matches any: a request
 * that cannot be told is counted, never missed.
 */
final class RequestPath {

  private RequestPath() {}

  /** Returns the readings, at least one. */
  static List<String> readings(HttpServletRequest request) {
    return readings(seen(request), request.getContextPath(), request.getRequestURI());
  }

  /** The same where no container resolves the path, and the framework may leave its dots in. */
  static List<String> readings(String context, String raw) {
    String within = raw.startsWith(context) ? raw.substring(context.length()) : raw;
    if (isPlain(within)) {
      return List.of(within);
    }
    Set<String> readings = new LinkedHashSet<>(readings(null, context, raw));
    readings.add(within(decodedSegments(context), String.join("/", decodeSegments(raw))));
    return List.copyOf(readings);
  }

  private static List<String> readings(
      @Nullable String seen, @Nullable String context, @Nullable String raw) {
    if (seen != null && isPlain(seen) && isConcatenation(raw, context, seen)) {
      return List.of(seen);
    }
    Set<String> readings = new LinkedHashSet<>();
    if (seen != null) {
      readings.add(normalise(seen));
      readings.add(normalise(seen.replace('\\', '/')));
    }
    if (raw != null && raw.startsWith("/")) {
      String prefix = decodedSegments(context == null ? "" : context);
      String literal = decodedSegments(raw);
      readings.add(within(prefix, literal));
      readings.add(within(prefix, normalise(literal.replace('\\', '/'))));
    }
    return readings.isEmpty() ? List.of("/") : List.copyOf(readings);
  }

  /** What the container made of the path; null if it refuses to say because it is ambiguous. */
  private static @Nullable String seen(HttpServletRequest request) {
    try {
      String below = request.getPathInfo();
      return below == null ? request.getServletPath() : request.getServletPath() + below;
    } catch (IllegalArgumentException e) {
      return null; // Jetty, where it is set to let such paths in
    }
  }

  private static boolean isConcatenation(
      @Nullable String whole, @Nullable String first, String second) {
    int length = first == null ? 0 : first.length();
    return whole != null
        && whole.length() == length + second.length()
        && (first == null || whole.startsWith(first))
        && whole.startsWith(second, length);
  }

  /** Tells whether a path is in normal form and would stay as it is if it were decoded again. */
  private static boolean isPlain(String path) {
    int length = path.length();
    if (length == 0 || path.charAt(0) != '/') {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = path.charAt(i);
      if (c == '%' || c == ';' || c == '\\') {
        return false;
      }
      if (c == '/' && i + 1 < length && (path.charAt(i + 1) == '/' || path.charAt(i + 1) == '.')) {
        return false;
      }
    }
    return length == 1 || path.charAt(length - 1) != '/';
  }

  /** Resolves empty, {@code .} and {@code ..} segments and drops a slash at the end. */
  static String normalise(String path) {
    return join(path.split("/"));
  }

  /**
   * Removes the parameters of each segment of an undecoded path, decodes it and resolves dots. A
   * decoded slash stays inside its segment.
   */
  private static String decodedSegments(String raw) {
    return join(decodeSegments(raw));
  }

  private static String[] decodeSegments(String raw) {
    String[] segments = raw.split("/");
    for (int i = 0; i < segments.length; i++) {
      int parameters = segments[i].indexOf(';');
      segments[i] = decode(parameters < 0 ? segments[i] : segments[i].substring(0, parameters));
    }
    return segments;
  }

  private static String join(String[] segments) {
    List<String> kept = new ArrayList<>(segments.length);
    for (String segment : segments) {
      if (segment.equals("..")) {
        if (!kept.isEmpty()) {
          kept.remove(kept.size() - 1);
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.add(segment);
      }
    }
    return "/" + String.join("/", kept);
  }

  private static String within(String context, String path) {
    if (context.length() > 1 && path.startsWith(context)) {
      if (path.length() == context.length()) {
        return "/";
      }
      if (path.charAt(context.length()) == '/') {
        return path.substring(context.length());
      }
    }
    return path;
  }

  /** Decodes {@code %XX} as UTF-8, once; a percent sign without two digits stays. */
  private static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); ) {
      int value = text.charAt(i) == '%' ? octet(text, i + 1) : -1;
      if (value >= 0) {
        bytes.write(value);
        i += 3;
      } else {
        int next = text.offsetByCodePoints(i, 1);
        bytes.writeBytes(text.substring(i, next).getBytes(StandardCharsets.UTF_8));
        i = next;
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int octet(String text, int start) {
    if (start + 2 > text.length()) {
      return -1;
    }
    int high = hex(text.charAt(start));
    int low = hex(text.charAt(start + 1));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static int hex(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }
}
