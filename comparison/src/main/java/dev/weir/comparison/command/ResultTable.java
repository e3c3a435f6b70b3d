package dev.weir.comparison.command;

import dev.weir.comparison.ComparisonResult;
import dev.weir.comparison.Result;
import dev.weir.comparison.TraceFacts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The table that a terminal shows of a comparison. */
final class ResultTable {

  private static final List<String> HEAD =
      List.of(
          "algorithm",
          "store",
          "admitted",
          "denied",
          "worst window",
          "over",
          "false",
          "honest",
          "tight",
          "mean wait",
          "bytes/key",
          "commands");
  private static final List<String> CLIENTS_HEAD =
      List.of(
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
  private static final int TEXT_COLUMNS = 2; // the others are numbers, to the right

  private ResultTable() {}

  static void print(ComparisonResult comparison, @Nullable String server, PrintWriter out) {
    facts(comparison.trace(), out);
    out.println("limit " + comparison.quota() + (server == null ? "" : "; redis is " + server));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (Result result : comparison.results()) {
      rows.add(row(comparison, result));
    }
    Text.table(rows, TEXT_COLUMNS, out);
    out.println();
    clients(comparison, out);
    if (comparison.results().stream().map(Result::store).distinct().count() > 1) {
      out.println("The stores agreed on every decision.");
    }
    out.println(
        "worst window: most permits admitted for one key in any window, and as a multiple of the"
            + " limit.");
    out.println(
        "over: admitted above the limit per window; false: denied below it; honest: waits told"
            + " that suffice;");
    out.println("tight: waits told that are not a microsecond too long.");
    out.flush();
  }

  /** Tells what a trace holds, and what of it could not be read. */
  static void facts(TraceFacts trace, PrintWriter out) {
    out.println(
        trace.name()
            + ": "
            + Text.count(trace.events(), "request")
            + " by "
            + Text.count(trace.keys(), "key")
            + ", "
            + trace.first()
            + " to "
            + trace.last());
    if (!trace.generator().isEmpty()) {
      out.println("random by " + trace.generator());
    }
    if (trace.skipped() > 0) {
      out.println(
          "skipped " + Text.count(trace.skipped(), "line") + " that cannot be read, the first:");
      trace.skippedExamples().forEach(example -> out.println("  " + example));
    }
    if (trace.outOfOrder() > 0) {
      out.println(
          "out of order: "
              + Text.count(trace.outOfOrder(), "step")
              + " back, by "
              + Text.seconds(trace.largestStepBack().toNanos() / 1e9)
              + " at most; sorted by time");
    }
  }

  private static void clients(ComparisonResult comparison, PrintWriter out) {
    List<List<String>> rows = new ArrayList<>();
    for (Result result : comparison.results()) {
      Result.Persistence clients = result.persistence();
      if (clients != null) {
        OptionalDouble tries = clients.attemptsPerSuccess();
        rows.add(
            List.of(
                result.algorithm(),
                result.store(),
                clients.clients().toString(),
                String.valueOf(clients.requests()),
                String.valueOf(clients.admitted()),
                String.valueOf(clients.gaveUp()),
                String.valueOf(clients.attempts()),
                tries.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", tries.getAsDouble()),
                Text.seconds(clients.meanWaitMillis() / 1e3),
                Text.seconds(clients.longestWaitMillis() / 1e3)));
      }
    }
    if (!rows.isEmpty()) {
      rows.add(0, CLIENTS_HEAD);
      Text.table(rows, TEXT_COLUMNS, out);
      out.println();
    }
  }

  private static List<String> row(ComparisonResult comparison, Result result) {
    Result.WorstWindow worst = result.worstWindow();
    Result.RetryAfter told = result.retryAfter();
    Result.StateBytes bytes = result.stateBytes();
    Double commands = result.commandsPerDecision();
    return List.of(
        result.algorithm(),
        result.store(),
        String.valueOf(result.admitted()),
        String.valueOf(result.denied()),
        worst == null
            ? "-"
            : worst.count() + String.format(Locale.ROOT, " %.2fx", comparison.overshoot(result)),
        String.valueOf(result.overAdmissions()),
        String.valueOf(result.falseDenials()),
        percent(told.honestPercent()),
        percent(told.tightPercent()),
        told.told() == 0 ? "-" : Text.seconds(told.meanToldMillis() / 1e3),
        bytes == null ? "-" : bytes.mean() + " max " + bytes.max(),
        commands == null ? "-" : String.format(Locale.ROOT, "%.2f", commands));
  }

  private static String percent(OptionalDouble value) {
    return value.isEmpty()
        ? "-"
        : String.format(
            Locale.ROOT, value.getAsDouble() == 100 ? "%.0f%%" : "%.3f%%", value.getAsDouble());
  }
}
