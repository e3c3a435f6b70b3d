package dev.weir.comparison;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A drawing under construction, 760 units wide: the plot lies right of the labels of its vertical
 * axis. Colours come from the page's classes, so they follow its light or dark theme.
 */
final class Svg {

  static final int WIDTH = 800;
  static final int LEFT = 64;
  static final int PLOT = 720;

  private static final long[] STEPS = {
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500, // microseconds
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    15_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000,
    900_000_000,
    1_800_000_000,
    3_600_000_000L,
    7_200_000_000L,
    10_800_000_000L,
    21_600_000_000L,
    43_200_000_000L,
    86_400_000_000L,
    172_800_000_000L,
    604_800_000_000L,
    2_592_000_000_000L,
    31_536_000_000_000L
  };

  private final StringBuilder text = new StringBuilder();

  /** A drawing within a page, whose styles it takes. */
  Svg(int height, String title) {
    this(height, title, "", "");
  }

  /** A drawing that is a file of its own, with a ground. */
  Svg(int height, String title, String style) {
    this(
        height,
        title,
        " xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"".formatted(WIDTH, height),
        style);
    text.append(
        "<rect class=\"ground\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n"
            .formatted(WIDTH - 1, height - 1));
  }

  private Svg(int height, String title, String attributes, String style) {
    text.append(
        String.format(
            Locale.ROOT,
            "<svg%s viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title>\n%s",
            attributes,
            WIDTH,
            height,
            escape(title),
            style));
  }

  static String escape(String plain) {
    StringBuilder escaped = new StringBuilder();
    plain
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> {
                  // Control characters are not lawful in a page; half surrogates cannot be written.
                  boolean writable =
                      c >= ' ' && !(c >= 0x7F && c <= 0x9F) && !(c >= 0xD800 && c <= 0xDFFF);
                  escaped.appendCodePoint(writable ? c : 0xFFFD);
                }
              }
            });
    return escaped.toString();
  }

  Svg path(String cssClass, CharSequence data) {
    text.append("<path class=\"").append(cssClass).append("\" d=\"").append(data).append("\"/>\n");
    return this;
  }

  Svg line(String cssClass, double x1, double y1, double x2, double y2) {
    return path(
        cssClass, "M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2));
  }

  Svg box(String cssClass, double x, double y, double width, double height) {
    text.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n",
            cssClass,
            number(x),
            number(y),
            number(width),
            number(height)));
    return this;
  }

  /** Writes a text; the anchor is start, middle or end. */
  Svg text(String cssClass, String anchor, double x, double y, String words) {
    text.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n",
            cssClass,
            anchor,
            number(x),
            number(y),
            escape(words)));
    return this;
  }

  /** Draws the labels of a time axis below the plot. */
  Svg timeAxis(long from, long to, double y) {
    long step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0 && (to - from) / STEPS[i] <= 7; i--) {
      step = STEPS[i];
    }
    DateTimeFormatter form =
        DateTimeFormatter.ofPattern(
                step >= 86_400_000_000L
                    ? "yyyy-MM-dd"
                    : step >= 60_000_000
                        ? "HH:mm"
                        : step >= 1_000_000
                            ? "HH:mm:ss"
                            : step >= 1_000 ? "ss.SSS's'" : "ss.SSSSSS's'",
                Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    for (long time = (from + step - 1) / step * step; time <= to; time += step) {
      double x = x(time, from, to);
      line("axis", x, y, x, y + 4);
      if (x > LEFT + 20 && x < LEFT + PLOT - 20) {
        text("tick", "middle", x, y + 16, form.format(Lane.time(time)));
      }
    }
    line("axis", LEFT, y, LEFT + PLOT, y);
    return this;
  }

  /** Draws the lines and labels of a vertical axis from 0. */
  Svg valueAxis(double greatest, double top, double bottom) {
    double step = niceStep(greatest / 4);
    for (double value = 0; value <= greatest * 1.0001; value += step) {
      double y = bottom - value / greatest * (bottom - top);
      line("grid", LEFT, y, LEFT + PLOT, y);
      text("tick", "end", LEFT - 6, y + 4, plain(value));
    }
    return this;
  }

  static double niceStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= least * 0.9999) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  static String plain(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? plain((long) value)
        : number(value);
  }

  static double x(long time, long from, long to) {
    return LEFT + (double) (time - from) / (to - from) * PLOT;
  }

  /** A number with at most two decimals. */
  static String number(double value) {
    String digits = String.format(Locale.ROOT, "%.2f", value);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return digits.substring(0, digits.charAt(end - 1) == '.' ? end - 1 : end);
  }

  static String clock(Instant time) {
    return time.toString().replace('T', ' ').replace("Z", " UTC");
  }

  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
