package dev.weir.comparison.command;

import dev.weir.comparison.Inspection;
import dev.weir.comparison.Trace;
import dev.weir.comparison.TraceFacts;
import dev.weir.internal.Micros;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir inspect}: what limits would suit a trace. */
@Command(
    name = "inspect",
    description =
        "Tells what a trace holds, how much its keys ask for at most, and what limits of that size"
            + " would deny.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir inspect access.log.gz",
      "  weir inspect api.jsonl --key field:tenant --algorithms sliding-window,token-bucket",
      "  weir inspect access.log --json -"
    })
final class InspectCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Mixin private TraceOptions trace = new TraceOptions();

  @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

  @Mixin private JsonOption json = new JsonOption();

  private InspectCommand() {}

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("picocli injects the command before it runs");
    }
    CommandLine command = spec.commandLine();
    json.file()
        .ifPresent(
            file -> {
              file.check(command);
              trace.file().ifPresent(input -> file.checkIsNot("the trace", input, command));
            });
    try (Trace read = trace.read()) {
      Inspection inspection = inspect(read, command.getErr());
      print(inspection, json.tables(command));
      json.write(command, inspection::toJson);
    }
    return 0;
  }

  private Inspection inspect(Trace read, PrintWriter err) {
    try (Progress progress = new Progress(err)) {
      return Inspection.of(read, algorithms.names(), progress);
    }
  }

  private static void print(Inspection inspection, PrintWriter out) {
    TraceFacts facts = inspection.trace();
    ResultTable.facts(facts, out);
    out.println(
        "times are whole multiples of "
            + Micros.text(inspection.resolution())
            + (facts.outOfOrder() == 0 ? ", in order" : ""));
    out.println();
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("busiest keys", "requests", "of all"));
    for (Inspection.BusyKey busy : inspection.busiest()) {
      table.add(
          List.of(
              Text.cut(Text.printable(busy.key()), 40),
              String.valueOf(busy.requests()),
              Text.percent(busy.requests(), facts.events())));
    }
    Text.table(table, 1, out);
    out.println();
    out.println("The most permits that a key asks for in any window:");
    table = new ArrayList<>();
    table.add(List.of("window", "half of keys", "99% of keys", "99.9%", "greatest", "its key"));
    for (Inspection.Peaks peaks : inspection.peaks()) {
      table.add(
          List.of(
              Micros.text(peaks.window()),
              String.valueOf(peaks.median()),
              String.valueOf(peaks.percent99()),
              String.valueOf(peaks.permille999()),
              String.valueOf(peaks.greatest()),
              Text.cut(Text.printable(peaks.key()), 40)));
    }
    Text.table(table, 1, out);
    out.println();
    out.println("Limits to consider, and the share of requests and of keys that each denies:");
    table = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("limit"));
    inspection.candidates().get(0).denials().forEach(each -> head.add(each.algorithm()));
    table.add(head);
    for (Inspection.Candidate candidate : inspection.candidates()) {
      List<String> line = new ArrayList<>(List.of(candidate.quota().toString()));
      for (Inspection.Denials denials : candidate.denials()) {
        line.add(
            Text.percent(denials.requests(), facts.events())
                + " of "
                + Text.percent(denials.keys(), facts.keys()));
      }
      table.add(line);
    }
    Text.table(table, 1, out);
    out.flush();
  }
}
