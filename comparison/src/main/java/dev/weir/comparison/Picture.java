package dev.weir.comparison;

import dev.weir.internal.Micros;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A picture for a page of somebody else's: of each algorithm the rolling count around its worst
 * window, and below it the requests. It has its own ground, so it can be read on any page.
 */
final class Picture {

  private static final int HEAD = 58;
  private static final int ROW = 142;
  private static final int CURVE = 72; // how high the plot is
  private static final int FIRST = CloseUp.COLUMNS * 2 * 7 / 20; // a quarter before the window
  private static final int END = FIRST + CloseUp.COLUMNS; // of five windows two and a half

  private static final String STYLE =
      """
      <style>
      .ground { fill: #ffffff; stroke: #d0d7de; }
      text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1b1f24; }
      .title { font-size: 16px; font-weight: 600; }
      .name { font-size: 14px; font-weight: 600; }
      .note, .tick { fill: #57606a; }
      .over { fill: #b93a00; font-weight: 600; }
      path { fill: none; }
      .grid { stroke: #d0d7de; stroke-width: .7; }
      .axis { stroke: #57606a; }
      .border { stroke: #57606a; stroke-width: .8; stroke-dasharray: 2 3; }
      .limit { stroke: #1b1f24; stroke-width: 1.4; stroke-dasharray: 7 4; }
      .band { fill: #fff3c4; }
      .curve { stroke: #0072b2; stroke-width: 1.8; }
      .excess { fill: #b93a00; opacity: .45; }
      .yes { stroke: #0072b2; }
      .no { stroke: #b93a00; }
      @media (prefers-color-scheme: dark) {
        .ground { fill: #0d1117; stroke: #30363d; }
        text { fill: #e6edf3; }
        .note, .tick { fill: #9aa5b1; }
        .over { fill: #ff8a5c; }
        .grid { stroke: #30363d; }
        .axis, .border { stroke: #9aa5b1; }
        .limit { stroke: #e6edf3; }
        .band { fill: #2f2a12; }
        .curve, .yes { stroke: #56b4e9; }
        .excess { fill: #ff8a5c; }
        .no { stroke: #ff8a5c; }
      }
      </style>
      """;

  private Picture() {}

  static String write(ComparisonResult comparison, List<Details> details) {
    String name = comparison.trace().name() + " at " + comparison.quota();
    Svg svg = new Svg(HEAD + ROW * details.size(), name + ": what each algorithm admitted", STYLE);
    svg.text("title", "start", Svg.LEFT, 26, name);
    svg.text(
        "note",
        "start",
        Svg.LEFT,
        45,
        "permits admitted within the last "
            + Micros.text(comparison.quota().window())
            + ", and below the requests: upper row admitted, lower row denied");
    long most = comparison.quota().limit();
    for (Details each : details) {
      most = each.closeUp == null ? most : Math.max(most, each.closeUp.rolling.peak());
    }
    for (int i = 0; i < details.size(); i++) {
      row(svg, comparison, details.get(i), HEAD + ROW * i, most * 1.05);
    }
    return svg.toString();
  }

  private static void row(
      Svg svg, ComparisonResult comparison, Details each, int top, double greatest) {
    Result result = each.results.get(0);
    Result.WorstWindow worst = result.worstWindow();
    CloseUp view = each.closeUp;
    svg.text("name", "start", Svg.LEFT, top + 16, each.algorithm);
    svg.text(
        "note",
        "end",
        Svg.LEFT + Svg.PLOT,
        top + 16,
        Svg.plain(result.admitted()) + " admitted, " + Svg.plain(result.denied()) + " denied");
    if (view == null || worst == null) {
      svg.text("note", "middle", Svg.LEFT + Svg.PLOT / 2.0, top + 16, "nothing was admitted");
      return;
    }
    double ratio = comparison.overshoot(result);
    svg.text(
        ratio > 1 ? "over" : "note",
        "middle",
        Svg.LEFT + Svg.PLOT / 2.0,
        top + 16,
        String.format(
            Locale.ROOT,
            "at most %,d within %s: %.2f times the limit",
            worst.count(),
            Micros.text(comparison.quota().window()),
            ratio));
    StepCurve curve = view.rolling.part(FIRST, END);
    long window = Micros.of(comparison.quota().window());
    int plot = top + 24;
    int bottom = plot + CURVE;
    double left = Svg.x(view.worstFrom, curve.from(), curve.to());
    double right = Svg.x(view.worstTo, curve.from(), curve.to());
    double scale = CURVE / greatest;
    long limit = comparison.quota().limit();
    svg.box("band", left, plot, right - left, CURVE);
    svg.path("border", Curves.borders(curve.from(), curve.to(), window, plot, bottom + 22));
    svg.valueAxis(greatest, plot, bottom);
    svg.path("excess", Curves.excess(curve, limit, scale, bottom));
    svg.path("curve", Curves.steps(curve, scale, bottom));
    svg.line(
        "limit", Svg.LEFT, bottom - limit * scale, Svg.LEFT + Svg.PLOT, bottom - limit * scale);
    svg.text(
        "note",
        "end",
        Svg.LEFT + Svg.PLOT,
        bottom - limit * scale - 4,
        "limit " + Svg.plain(limit));
    svg.path(
        "yes",
        Curves.ticks(Arrays.copyOfRange(view.admitted, FIRST, END), bottom + 3, bottom + 11));
    svg.path(
        "no", Curves.ticks(Arrays.copyOfRange(view.denied, FIRST, END), bottom + 13, bottom + 21));
    svg.timeAxis(curve.from(), curve.to(), bottom + 23);
  }
}
