package dev.weir.comparison.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Tables and numbers for a terminal. */
final class Text {

  private Text() {}

  /** Prints rows of equal length in columns: so many of words, to the left, then numbers. */
  static void table(List<List<String>> rows, int wordColumns, PrintWriter out) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String gap = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(i < wordColumns ? row.get(i) + gap : gap + row.get(i));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }

  static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.2f%%", 100.0 * part / whole);
  }

  /** Replaces what a terminal would take for a command: input may come from anybody. */
  static String printable(String text) {
    return text.codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Cuts a text to a width. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }
}
