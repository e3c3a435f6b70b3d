package dev.weir.comparison;

import dev.weir.internal.Micros;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The page that shows a comparison. What its words mean stands in its last part, for readers. */
final class HtmlReport {

  private static final int TOP = 22; // of the rolling count's plot
  private static final int BOTTOM = 196;

  private final ComparisonResult comparison;
  private final List<Details> details;
  private final String command;
  private final long limit;
  private final long window;
  private final StringBuilder page = new StringBuilder();

  private HtmlReport(ComparisonResult comparison, List<Details> details, String command) {
    this.comparison = comparison;
    this.details = details;
    this.command = command;
    limit = comparison.quota().limit();
    window = Micros.of(comparison.quota().window());
  }

  static String write(ComparisonResult comparison, List<Details> details, String command) {
    return new HtmlReport(comparison, details, command).write();
  }

  private String write() {
    String name = comparison.trace().name();
    page.append(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <link rel="icon" href="data:,">
        <style>
        %s</style>
        </head>
        <body>
        <main>
        """
            .formatted(Svg.escape(name + " at " + comparison.quota()), resource("report.css")));
    heading(name);
    verdicts();
    clients();
    section("The worst moment of each algorithm");
    note(
        "The key for which most was admitted within one window, which is shaded, and two windows on"
            + " either side. From top to bottom: the permits admitted within the last window, with what"
            + " is above the limit filled; each request; and what the limiter had left to give.");
    details.forEach(this::closeUp);
    section("The whole trace");
    details.forEach(this::overview);
    section("How far keys go beyond the limit");
    peaks();
    section("The wait that is told and the wait that is needed");
    waits();
    section("What a decision costs");
    costs();
    page.append(resource("report-guide.html"));
    page.append("</main>\n</body>\n</html>\n");
    return page.toString();
  }

  private void heading(String name) {
    TraceFacts trace = comparison.trace();
    page.append("<h1>").append(Svg.escape(name)).append(" at ");
    page.append(Svg.escape(comparison.quota().toString())).append("</h1>\n");
    page.append("<p class=\"command\"><code>")
        .append(Svg.escape(command))
        .append("</code></p>\n<dl class=\"facts\">\n");
    fact("requests", Svg.plain(trace.events()));
    fact("keys", Svg.plain(trace.keys()));
    fact("first", Svg.clock(trace.first()));
    fact("last", Svg.clock(trace.last()));
    if (trace.skipped() > 0) {
      fact("lines skipped", Svg.plain(trace.skipped()));
    }
    if (trace.outOfOrder() > 0) {
      fact(
          "steps back in time",
          Svg.plain(trace.outOfOrder())
              + ", by "
              + duration(Micros.of(trace.largestStepBack()))
              + " at most; sorted");
    }
    if (!trace.generator().isEmpty()) {
      fact("random numbers", trace.generator());
    }
    fact("SHA-256", trace.sha256());
    page.append("</dl>\n");
  }

  private void fact(String term, String value) {
    page.append("<div><dt>")
        .append(term)
        .append("</dt><dd>")
        .append(Svg.escape(value))
        .append("</dd></div>\n");
  }

  private void section(String title) {
    page.append("<h2>").append(title).append("</h2>\n");
  }

  private void note(String text) {
    page.append("<p>").append(Svg.escape(text)).append("</p>\n");
  }

  private void verdicts() {
    section("Verdict");
    page.append("<ul class=\"findings\">\n");
    details.forEach(each -> page.append("<li>").append(finding(each)).append("</li>\n"));
    page.append("</ul>\n");
    double worstRatio = greatest(comparison::overshoot);
    double worstOver = greatest(Result::overAdmissions);
    double worstFalse = greatest(Result::falseDenials);
    double worstHonest = -greatest(result -> -percent(result.retryAfter().honestPercent()));
    double worstTight = -greatest(result -> -percent(result.retryAfter().tightPercent()));
    tableHead(
        "algorithm",
        "store",
        "worst window",
        "times the limit",
        "admitted",
        "denied",
        "over-admissions",
        "false denials",
        "honest waits",
        "tight waits",
        "mean wait");
    for (Result result : comparison.results()) {
      Result.WorstWindow worst = result.worstWindow();
      Result.RetryAfter told = result.retryAfter();
      double ratio = comparison.overshoot(result);
      page.append("<tr>");
      rowHead(result);
      cell(worst == null ? "–" : Svg.plain(worst.count()), ratio > 1 && ratio == worstRatio);
      cell(ratio(ratio), ratio > 1 && ratio == worstRatio);
      cell(Svg.plain(result.admitted()), false);
      cell(Svg.plain(result.denied()), false);
      cell(
          Svg.plain(result.overAdmissions()),
          result.overAdmissions() > 0 && result.overAdmissions() == worstOver);
      cell(
          Svg.plain(result.falseDenials()),
          result.falseDenials() > 0 && result.falseDenials() == worstFalse);
      percentCell(told.honestPercent(), worstHonest);
      percentCell(told.tightPercent(), worstTight);
      cell(told.told() == 0 ? "–" : duration(1_000 * told.meanToldMillis()), false);
      page.append("</tr>\n");
    }
    tableEnd();
    page.append("<p class=\"legend\"><span class=\"worst\">▲</span> the worst in its column</p>\n");
    if (comparison.results().stream().map(Result::store).distinct().count() > 1) {
      note("The stores agreed on every decision of every algorithm.");
    }
  }

  private String finding(Details each) {
    Result result = each.results.get(0);
    Result.WorstWindow worst = result.worstWindow();
    String name = "<b>" + Svg.escape(each.algorithm) + "</b> ";
    if (worst == null) {
      return name + "admitted nothing.";
    }
    double ratio = comparison.overshoot(result);
    String text =
        ratio > 1
            ? "let %s times the limit through in one window: %s in the %s up to %s, for key %s"
                .formatted(
                    ratio(ratio),
                    Svg.plain(worst.count()),
                    Micros.text(comparison.quota().window()),
                    Svg.clock(worst.to()),
                    worst.key())
            : "never let more than the limit through in any window";
    String denials =
        result.denied() == 0
            ? ", and denied nothing."
            : result.falseDenials() == 0
                ? ", and denied %s, each rightly.".formatted(Svg.plain(result.denied()))
                : ", and denied %s, %s of them though the window had room."
                    .formatted(Svg.plain(result.denied()), Svg.plain(result.falseDenials()));
    return name + Svg.escape(text + denials);
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  private double greatest(ToDoubleFunction<Result> figure) {
    return comparison.results().stream()
        .mapToDouble(figure)
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(0);
  }

  private static double percent(OptionalDouble value) {
    return value.orElse(Double.NaN);
  }

  private void tableHead(String... columns) {
    page.append("<div class=\"scroll\"><table>\n<thead><tr>");
    for (String column : columns) {
      page.append("<th scope=\"col\">").append(column).append("</th>");
    }
    page.append("</tr></thead>\n<tbody>\n");
  }

  private void rowHead(Result result) {
    page.append("<th scope=\"row\">")
        .append(Svg.escape(result.algorithm()))
        .append("</th><td class=\"word\">")
        .append(Svg.escape(result.store()))
        .append("</td>");
  }

  private void cell(String text, boolean worst) {
    page.append(worst ? "<td class=\"worst\">▲ " : "<td>").append(Svg.escape(text)).append("</td>");
  }

  private void percentCell(OptionalDouble value, double worst) {
    if (value.isEmpty()) {
      cell("–", false);
    } else {
      double percent = value.getAsDouble();
      cell(percentText(percent), percent < 100 && percent == worst);
    }
  }

  private static String percentText(double percent) {
    return Svg.number(Math.floor(100 * percent) / 100) + " %";
  }

  private void tableEnd() {
    page.append("</tbody></table></div>\n");
  }

  private void clients() {
    if (comparison.results().stream().allMatch(result -> result.persistence() == null)) {
      return;
    }
    section("Clients that come again");
    tableHead(
        "algorithm",
        "store",
        "clients",
        "want one",
        "got it",
        "gave up",
        "tries",
        "tries each",
        "mean wait",
        "longest wait");
    for (Result result : comparison.results()) {
      Result.Persistence clients = result.persistence();
      if (clients != null) {
        OptionalDouble tries = clients.attemptsPerSuccess();
        page.append("<tr>");
        rowHead(result);
        cell(clients.clients().toString(), false);
        cell(Svg.plain(clients.requests()), false);
        cell(Svg.plain(clients.admitted()), false);
        cell(Svg.plain(clients.gaveUp()), false);
        cell(Svg.plain(clients.attempts()), false);
        cell(tries.isEmpty() ? "–" : Svg.number(tries.getAsDouble()), false);
        cell(duration(1_000 * clients.meanWaitMillis()), false);
        cell(duration(1_000 * clients.longestWaitMillis()), false);
        page.append("</tr>\n");
      }
    }
    tableEnd();
  }

  /** Rolling count, requests and level of the worst key, on one time axis. */
  private void closeUp(Details each) {
    CloseUp view = each.closeUp;
    page.append("<h3>").append(Svg.escape(each.algorithm)).append("</h3>\n");
    if (view == null) {
      note("Nothing was admitted.");
      return;
    }
    note("Key " + view.key + ", around " + Svg.clock(Lane.time(view.worstTo)) + ".");
    Svg svg =
        new Svg(
            414,
            each.algorithm
                + ": rolling count, requests and level for key "
                + view.key
                + " around its worst window");
    double bandLeft = Svg.x(view.worstFrom, view.from, view.to);
    double bandRight = Svg.x(view.worstTo, view.from, view.to);
    svg.box("band", bandLeft, TOP, bandRight - bandLeft, 392 - TOP);
    svg.path("border", Curves.borders(view.from, view.to, window, TOP, 392));
    double greatest = greatestCount() * 1.08;
    svg.valueAxis(greatest, TOP, BOTTOM);
    double scale = (BOTTOM - TOP) / greatest;
    double limitY = BOTTOM - limit * scale;
    svg.path("excess", Curves.excess(view.rolling, limit, scale, BOTTOM));
    svg.path("curve", Curves.steps(view.rolling, scale, BOTTOM));
    svg.line("limit", Svg.LEFT, limitY, Svg.LEFT + Svg.PLOT, limitY);
    svg.text("note", "end", Svg.LEFT + Svg.PLOT, limitY + 14, "limit " + Svg.plain(limit));
    svg.text("note", "start", Svg.LEFT, 14, "admitted within the last window");
    strip(svg, view);
    level(svg, view);
    svg.timeAxis(view.from, view.to, 392);
    plot(svg);
    zoom(each, view);
  }

  /** The greatest rolling count of all algorithms, so that their plots have one scale. */
  private long greatestCount() {
    long greatest = limit;
    for (Details each : details) {
      greatest = each.closeUp == null ? greatest : Math.max(greatest, each.closeUp.rolling.peak());
    }
    return greatest;
  }

  /** The requests of the worst window alone, where they fill too little of it to be told apart. */
  private void zoom(Details each, CloseUp view) {
    CloseUp.Requests requests = view.nearby;
    long first = Long.MAX_VALUE;
    long last = view.worstTo;
    for (int i = 0; i < requests.size(); i++) {
      if (requests.isAdmitted(i)) {
        first = Math.min(first, requests.time(i));
      }
    }
    if (first >= last || last - first > window / 3) {
      return;
    }
    long margin = (last - first) / 12 + 1;
    long from = Math.max(0, first - margin);
    long to = last + margin;
    Svg svg = new Svg(112, each.algorithm + ": the requests of its worst window from near");
    svg.path("border", Curves.borders(from, to, window, 22, 84));
    boolean[] admitted = new boolean[Svg.PLOT];
    boolean[] denied = new boolean[Svg.PLOT];
    for (int i = 0; i < requests.size(); i++) {
      if (requests.time(i) >= from && requests.time(i) < to) {
        int column = (int) ((double) (requests.time(i) - from) / (to - from) * Svg.PLOT);
        (requests.isAdmitted(i) ? admitted : denied)[column] = true;
      }
    }
    rows(svg, admitted, denied, 26);
    svg.text(
        "note",
        "start",
        Svg.LEFT,
        14,
        "the requests of the worst window from near, %s from the first admitted to the last"
            .formatted(duration(last - first)));
    svg.timeAxis(from, to, 84);
    plot(svg);
  }

  private static void strip(Svg svg, CloseUp view) {
    svg.text("note", "start", Svg.LEFT, 220, "requests");
    rows(svg, view.admitted, view.denied, 228);
  }

  /** A row of ticks for what was admitted, and one below for what was denied. */
  private static void rows(Svg svg, boolean[] admitted, boolean[] denied, double top) {
    svg.text("glyph yes", "end", Svg.LEFT - 6, top + 14, "● yes");
    svg.text("glyph no", "end", Svg.LEFT - 6, top + 40, "✕ no");
    svg.path("yes", Curves.ticks(admitted, top, top + 20));
    svg.path("no", Curves.ticks(denied, top + 26, top + 46));
  }

  private static void level(Svg svg, CloseUp view) {
    long most = 1;
    for (long value : view.level) {
      most = Math.max(most, value);
    }
    svg.valueAxis((double) most, 302, 392);
    StringBuilder data = new StringBuilder("M");
    for (int i = 0; i < view.level.length; i++) {
      if (i == 0
          || i == view.level.length - 1
          || view.level[i] != view.level[i - 1]
          || view.level[i] != view.level[i + 1]) {
        data.append(i == 0 ? "" : "L");
        data.append(Svg.number(Svg.LEFT + (double) i / view.level.length * Svg.PLOT)).append(' ');
        data.append(Svg.number(392 - 90.0 * view.level[i] / most));
      }
    }
    svg.path("curve", data);
    svg.text("note", "start", Svg.LEFT, 294, "left to give");
  }

  /** Requests offered and admitted over the whole trace. */
  private void overview(Details each) {
    TimeBins bins = each.bins;
    Svg svg = new Svg(160, each.algorithm + ": requests offered and admitted over the whole trace");
    double most = bins.most() * 1.05;
    svg.valueAxis(most, 20, 130);
    StringBuilder offered = new StringBuilder("M" + Svg.LEFT + " 130");
    StringBuilder admitted = new StringBuilder("M" + Svg.LEFT + " 130");
    for (int i = 0; i < TimeBins.BINS; i++) {
      bar(offered, i, 130 - bins.offered(i) / most * 110);
      bar(admitted, i, 130 - bins.admitted(i) / most * 110);
    }
    svg.path("offered", offered.append("V130Z"));
    svg.path("admitted", admitted.append("V130Z"));
    svg.text(
        "note",
        "start",
        Svg.LEFT + 4,
        14,
        each.algorithm
            + ": requests per "
            + duration(bins.width())
            + ", denied on top of admitted");
    svg.timeAxis(bins.start(), bins.end(), 130);
    plot(svg);
  }

  private static void bar(StringBuilder data, int bin, double y) {
    data.append('V').append(Svg.number(y));
    data.append('H').append(Svg.number(Svg.LEFT + (bin + 1.0) / TimeBins.BINS * Svg.PLOT));
  }

  /** The share of keys whose worst window stays below a ratio. */
  private void peaks() {
    note(
        "For each algorithm, the share of keys (from the bottom up) whose worst window held at most"
            + " so many times the limit (from left to right).");
    Svg svg = new Svg(270, "Share of keys by their worst window, as a multiple of the limit");
    double most = 1;
    for (Details each : details) {
      most = Math.max(most, (double) each.peaks[each.peaks.length - 1] / limit);
    }
    most *= 1.04;
    svg.valueAxis(100, 16, 216);
    double step = Svg.niceStep(most / 8);
    for (double ratio = 0; ratio <= most; ratio += step) {
      double x = Svg.LEFT + ratio / most * Svg.PLOT;
      svg.line("axis", x, 216, x, 220);
      svg.text("tick", "middle", x, 232, Svg.number(ratio) + "×");
    }
    svg.line("axis", Svg.LEFT, 216, Svg.LEFT + Svg.PLOT, 216);
    double limitX = Svg.LEFT + 1 / most * Svg.PLOT;
    svg.line("limit", limitX, 16, limitX, 216);
    svg.text("note", "end", limitX - 5, 28, "limit");
    svg.text("note", "start", Svg.LEFT + 4, 12, "% of keys");
    for (int i = 0; i < details.size(); i++) {
      svg.path("series s" + i % 4, cumulative(details.get(i).peaks, most));
    }
    legend(svg, 256, false);
    plot(svg);
  }

  private String cumulative(long[] sorted, double most) {
    StringBuilder data = new StringBuilder("M" + Svg.LEFT + " 216");
    long previousColumn = -1;
    for (int i = 0; i < sorted.length; i++) {
      boolean lastOfItsValue = i == sorted.length - 1 || sorted[i + 1] != sorted[i];
      if (lastOfItsValue) {
        double x = Svg.LEFT + (double) sorted[i] / limit / most * Svg.PLOT;
        long column = Math.round(2 * x);
        if (column != previousColumn || i == sorted.length - 1) {
          data.append('H').append(Svg.number(x));
          data.append('V').append(Svg.number(216 - 200.0 * (i + 1) / sorted.length));
          previousColumn = column;
        }
      }
    }
    return data.append('H').append(Svg.LEFT + Svg.PLOT).toString();
  }

  private void legend(Svg svg, double y, boolean marks) {
    double x = Svg.LEFT;
    for (int i = 0; i < details.size(); i++) {
      if (marks) {
        svg.path("mark s" + i % 4, mark(i, x + 12, y - 4));
      } else {
        svg.line("series s" + i % 4, x, y - 4, x + 24, y - 4);
      }
      svg.text("note", "start", x + 30, y, details.get(i).algorithm);
      x += 50 + 8 * details.get(i).algorithm.length();
    }
  }

  /** Told against needed waits, both on a logarithmic axis. */
  private void waits() {
    List<String> wrong = new ArrayList<>();
    long longest = 1_000;
    long shortest = Long.MAX_VALUE;
    boolean any = false;
    for (Details each : details) {
      for (WaitSamples.Wait wait : each.waits.waits()) {
        any = true;
        longest = Math.max(longest, Math.max(wait.told(), wait.needed()));
        shortest = Math.min(shortest, Math.min(wait.told(), wait.needed()));
      }
      Result.RetryAfter told = each.results.get(0).retryAfter();
      if (told.honest() < told.told() || told.tight() < told.told()) {
        wrong.add(each.algorithm);
      }
    }
    if (!any) {
      note("Nobody was denied, so nobody was told to wait.");
      return;
    }
    note(
        "Each mark is a denial. On the line the wait told is exactly the one needed; above it the"
            + " client came too early, below it longer than necessary. "
            + (wrong.isEmpty()
                ? "Every algorithm told every wait exactly."
                : "Not exact: " + String.join(", ", wrong) + "."));
    double low = Math.floor(log(shortest));
    double high = Math.ceil(log(longest));
    high = high == low ? low + 1 : high;
    Svg svg = new Svg(430, "Waits told by denials against the waits that were needed");
    for (double power = low; power <= high; power++) {
      String label = duration((long) Math.pow(10, power));
      double x = Svg.LEFT + (power - low) / (high - low) * Svg.PLOT;
      double y = 370 - (power - low) / (high - low) * 350;
      svg.line("grid", x, 20, x, 370).line("grid", Svg.LEFT, y, Svg.LEFT + Svg.PLOT, y);
      svg.text("tick", power == high ? "end" : "middle", x, 386, label);
      svg.text("tick", "end", Svg.LEFT - 6, y + 4, label);
    }
    svg.line("limit", Svg.LEFT, 370, Svg.LEFT + Svg.PLOT, 20);
    svg.text("note", "start", Svg.LEFT + 4, 14, "needed");
    svg.text("note", "end", Svg.LEFT + Svg.PLOT - 4, 364, "told");
    for (int i = 0; i < details.size(); i++) {
      TreeSet<String> marks = new TreeSet<>(); // many waits share a place
      for (WaitSamples.Wait wait : details.get(i).waits.waits()) {
        double x = (log(wait.told()) - low) / (high - low);
        double y = (log(wait.needed()) - low) / (high - low);
        marks.add(mark(i, Math.rint(Svg.LEFT + x * Svg.PLOT), Math.rint(370 - y * 350)));
      }
      if (!marks.isEmpty()) {
        svg.path("mark s" + i % 4, String.join("", marks));
      }
    }
    legend(svg, 420, true);
    plot(svg);
  }

  private static double log(long micros) {
    return Math.log10((double) Math.max(1, micros));
  }

  /** A mark for the series of this number: square, diamond, triangle or cross. */
  private static String mark(int series, double x, double y) {
    String at = "M" + Svg.number(x) + " " + Svg.number(y);
    return switch (series % 4) {
      case 0 -> at + "m-4-4h8v8h-8z";
      case 1 -> at + "m0-6l6 6l-6 6l-6-6z";
      case 2 -> at + "m0-5l5 9h-10z";
      default -> at + "m-5 0h10m-5-5v10";
    };
  }

  private void costs() {
    if (comparison.results().stream()
        .allMatch(each -> each.stateBytes() == null && each.commandsPerDecision() == null)) {
      note("Costs are measured on Redis, which took no part.");
      return;
    }
    tableHead(
        "algorithm",
        "store",
        "bytes per key, mean",
        "bytes per key, most",
        "commands per decision");
    for (Result result : comparison.results()) {
      Result.StateBytes bytes = result.stateBytes();
      Double commands = result.commandsPerDecision();
      if (bytes != null || commands != null) {
        page.append("<tr>");
        rowHead(result);
        cell(bytes == null ? "–" : Svg.plain(bytes.mean()), false);
        cell(bytes == null ? "–" : Svg.plain(bytes.max()), false);
        cell(commands == null ? "–" : Svg.number(commands), false);
        page.append("</tr>\n");
      }
    }
    tableEnd();
  }

  private void plot(Svg svg) {
    page.append("<figure class=\"scroll\">").append(svg).append("</figure>\n");
  }

  private static String duration(long micros) {
    if (micros < 1_000) {
      return micros + " µs";
    }
    if (micros < 1_000_000) {
      return Svg.number(micros / 1e3) + " ms";
    }
    if (micros < 120_000_000L) {
      return Svg.number(micros / 1e6) + " s";
    }
    if (micros < 7_200_000_000L) {
      return Svg.number(micros / 60e6) + " min";
    }
    return micros < 172_800_000_000L
        ? Svg.number(micros / 3600e6) + " h"
        : String.format(Locale.ROOT, "%.1f d", micros / 86_400e6);
  }

  private static String resource(String name) {
    try (@Nullable InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
