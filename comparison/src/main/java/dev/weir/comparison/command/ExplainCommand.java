package dev.weir.comparison.command;

import dev.weir.Decision;
import dev.weir.Quota;
import dev.weir.comparison.Timeline;
import dev.weir.comparison.TraceReader;
import dev.weir.internal.Micros;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir explain}: one key's timeline. */
@Command(
    name = "explain",
    description =
        "Shows the requests of one key, and what every algorithm answers to each, in memory.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir explain access.log --key-value 10.1.2.3 --limit 100/1m",
      "  weir explain access.log --key-value 10.1.2.3 --denied --from 2026-03-01T12:00:00Z",
      "  weir explain api.jsonl --key field:user --key-value jane --algorithms token-bucket"
    })
final class ExplainCommand implements Callable<Integer> {

  private static final DateTimeFormatter DAY = DateTimeFormatter.ISO_LOCAL_DATE;
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MILLISECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
  private static final int REQUEST_WIDTH = 40;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private TraceOptions trace = new TraceOptions();

  @Option(
      names = "--key-value",
      paramLabel = "KEY",
      required = true,
      description = "Whose requests to show, such as an address.")
  private String key = "";

  @Option(
      names = "--limit",
      paramLabel = "N/WINDOW",
      parameterConsumer = ComparisonOptions.QuotaConsumer.class,
      description = "Permits per window (default: 100/1m).")
  private Quota quota = Quota.of(100, Duration.ofMinutes(1));

  @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

  @Option(names = "--denied", description = "Show only the requests that an algorithm denied.")
  private boolean denied;

  private ExplainCommand() {}

  @Override
  public Integer call() throws IOException {
    List<TraceReader.Request> requests = trace.requestsOf(key);
    if (requests.isEmpty()) {
      throw new IOException(
          trace.name() + ": there are no requests of key '" + Text.printable(key) + "'");
    }
    Timeline timeline = Timeline.of(requests, quota, algorithms.names());
    if (spec != null) {
      print(timeline, spec.commandLine().getOut());
    }
    return 0;
  }

  private void print(Timeline timeline, PrintWriter out) {
    List<Timeline.Row> rows = timeline.rows();
    out.println(
        Text.printable(key)
            + " in "
            + trace.name()
            + ": "
            + Text.count(rows.size(), "request")
            + " from "
            + rows.get(0).request().time()
            + " to "
            + rows.get(rows.size() - 1).request().time()
            + ", limit "
            + quota);
    out.println();
    summary(timeline, out);
    out.println();
    List<Timeline.Row> shown =
        denied ? rows.stream().filter(Timeline.Row::isDenied).toList() : rows;
    if (shown.isEmpty()) {
      out.println("No request was denied.");
    } else {
      requests(timeline, shown, out);
    }
    out.flush();
  }

  private static void summary(Timeline timeline, PrintWriter out) {
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("algorithm", "first denial", "admitted", "denied", "longest wait"));
    for (int i = 0; i < timeline.algorithms().size(); i++) {
      long admitted = 0;
      Instant first = null;
      Duration longest = Duration.ZERO;
      for (Timeline.Row row : timeline.rows()) {
        Decision decision = row.decisions().get(i);
        if (decision.allowed()) {
          admitted++;
        } else {
          first = first == null ? row.request().time() : first;
          if (!decision.retryAfter().equals(Decision.NEVER)
              && decision.retryAfter().compareTo(longest) > 0) {
            longest = decision.retryAfter();
          }
        }
      }
      table.add(
          List.of(
              timeline.algorithms().get(i),
              first == null ? "-" : first.toString(),
              String.valueOf(admitted),
              String.valueOf(timeline.rows().size() - admitted),
              longest.isZero() ? "-" : wait(longest)));
    }
    Text.table(table, 2, out);
  }

  private static void requests(Timeline timeline, List<Timeline.Row> rows, PrintWriter out) {
    boolean wholeSeconds =
        rows.stream()
            .allMatch(
                row ->
                    row.request()
                        .time()
                        .equals(row.request().time().truncatedTo(ChronoUnit.SECONDS)));
    boolean weighted = rows.stream().anyMatch(row -> row.request().permits() != 1);
    List<List<String>> table = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("time (UTC)", "request"));
    head.addAll(timeline.algorithms());
    table.add(head);
    LocalDate day = null;
    for (Timeline.Row row : rows) {
      Instant time = row.request().time();
      LocalDate today = LocalDate.ofInstant(time, ZoneOffset.UTC);
      if (!today.equals(day)) {
        List<String> line = new ArrayList<>(List.of(DAY.format(today)));
        while (line.size() < head.size()) {
          line.add("");
        }
        table.add(line);
        day = today;
      }
      List<String> line = new ArrayList<>();
      line.add((wholeSeconds ? SECOND : MILLISECOND).format(time));
      String permits = weighted ? Text.count(row.request().permits(), "permit") + " " : "";
      line.add(Text.cut(permits + Text.printable(row.request().text()), REQUEST_WIDTH));
      row.decisions().forEach(decision -> line.add(verdict(decision)));
      table.add(line);
    }
    Text.table(table, head.size(), out);
  }

  private static String verdict(Decision decision) {
    if (decision.allowed()) {
      return "yes, " + decision.remaining() + " left";
    }
    return decision.retryAfter().equals(Decision.NEVER)
        ? "NO, never"
        : "NO, wait " + wait(decision.retryAfter());
  }

  /** A wait as people say it, rounded up, so that who waits so long has waited enough. */
  private static String wait(Duration wait) {
    long micros = Micros.of(wait);
    if (micros < 1_000_000) {
      return (micros + 999) / 1_000 + " ms";
    }
    long tenths = (micros + 99_999) / 100_000;
    if (tenths < 1_200) {
      return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
    }
    long seconds = (micros + 999_999) / 1_000_000;
    return seconds < 7_200
        ? seconds / 60 + " m " + seconds % 60 + " s"
        : seconds / 3_600 + " h " + seconds % 3_600 / 60 + " m";
  }
}
