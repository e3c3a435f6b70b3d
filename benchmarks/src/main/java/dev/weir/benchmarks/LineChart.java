package dev.weir.benchmarks;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A picture of curves with logarithmic axes, as SVG that follows the reader's light or dark theme.
 *
 * <p>Drawn here and not by XChart, which writes texts as outlines: a hundred times as large, and
 * nothing to read for a screen reader.
 */
final class LineChart {

  private static final int LEFT = 72;
  private static final int RIGHT = 520;
  private static final int TOP = 44;
  private static final int BOTTOM = 400;

  /** Colours that colour-blind readers can tell apart: those of Okabe and Ito, and grey. */
  private static final List<String> COLORS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#7f7f7f");

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="800" height="450" viewBox="0 0 800 450" role="img">
      <title>%1$s</title>
      <style>
      .ground { fill: #ffffff; stroke: #d0d7de; }
      text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1b1f24; }
      .title { font-size: 16px; font-weight: 600; }
      .grid { stroke: #d0d7de; }
      .dashed { stroke-dasharray: 6 4; }
      polyline { fill: none; stroke-width: 2; }
      @media (prefers-color-scheme: dark) {
        .ground { fill: #0d1117; stroke: #30363d; }
        text { fill: #e6edf3; }
        .grid { stroke: #30363d; }
      }
      </style>
      <rect class="ground" x=".5" y=".5" width="799" height="449" rx="6"/>
      <text class="title" x="72" y="26">%1$s</text>
      """;

  private final String title;
  private final String across;
  private final double[] xs;
  private final Map<String, double[]> curves = new LinkedHashMap<>();
  private final StringBuilder svg = new StringBuilder();

  /**
   * Begins a picture.
   *
   * @param title what goes up, over what goes across
   * @param xs from the least to the greatest
   */
  LineChart(String title, String across, double[] xs) {
    this.title = title;
    this.across = across;
    this.xs = xs;
  }

  /**
   * Adds a curve. It has the colour of others whose names are the same up to a comma; who comes
   * after the first of them is dashed.
   */
  void add(String name, double[] ys) {
    curves.put(name, ys);
  }

  void write(Path file) throws IOException {
    Axis x = new Axis(xs[0], xs[xs.length - 1], LEFT, RIGHT);
    Axis y = upAxis();
    svg.append(HEAD.formatted(title));
    for (double power = power(Math.ceil(Math.log10(x.least))); power <= x.most; power *= 10) {
      line("grid", x.at(power), TOP, x.at(power), BOTTOM);
      text("middle", x.at(power), BOTTOM + 18, number(power));
    }
    text("middle", (LEFT + RIGHT) / 2.0, BOTTOM + 38, across);
    for (double power = y.least; power <= y.most * 1.01; power *= 10) {
      line("grid", LEFT, y.at(power), RIGHT, y.at(power));
      text("end", LEFT - 8, y.at(power) + 4, number(power));
    }
    List<String> families = new ArrayList<>();
    int row = TOP + 12;
    for (Map.Entry<String, double[]> curve : curves.entrySet()) {
      String family = curve.getKey().split(", ", 2)[0];
      String style = "";
      if (families.contains(family)) {
        style = "dashed";
      } else {
        families.add(family);
      }
      String color = COLORS.get(families.indexOf(family));
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < xs.length; i++) {
        double left = x.at(xs[i]);
        double top = y.at(curve.getValue()[i]);
        points.append(pair(left, top)).append(' ');
        append("<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", color, left, top);
      }
      polyline(style, color, points.toString());
      polyline(style, color, pair(RIGHT + 14, row - 4) + " " + pair(RIGHT + 42, row - 4));
      text("start", RIGHT + 48, row, curve.getKey());
      row += 20;
    }
    Files.writeString(file, svg.append("</svg>\n"));
  }

  /** Returns the axis of whole powers of ten that holds all curves. */
  private Axis upAxis() {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (double[] ys : curves.values()) {
      for (double y : ys) {
        least = Math.min(least, y);
        most = Math.max(most, y);
      }
    }
    return new Axis(
        power(Math.floor(Math.log10(least))), power(Math.ceil(Math.log10(most))), BOTTOM, TOP);
  }

  private static double power(double exponent) {
    return Math.pow(10, exponent);
  }

  private static String number(double power) {
    return power < 1
        ? BigDecimal.valueOf(power).toPlainString()
        : String.format(Locale.ROOT, "%,.0f", power);
  }

  private static String pair(double left, double top) {
    return String.format(Locale.ROOT, "%.1f,%.1f", left, top);
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    append(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        style, x1, y1, x2, y2);
  }

  private void polyline(String style, String color, String points) {
    append("<polyline class=\"%s\" stroke=\"%s\" points=\"%s\"/>", style, color, points.strip());
  }

  private void text(String anchor, double left, double top, String words) {
    append("<text text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", anchor, left, top, words);
  }

  private void append(String form, Object... values) {
    svg.append(String.format(Locale.ROOT, form, values)).append('\n');
  }

  /** A logarithmic scale from one place to another. */
  private record Axis(double least, double most, double from, double to) {
    double at(double value) {
      return from + (to - from) * Math.log(value / least) / Math.log(most / least);
    }
  }
}
