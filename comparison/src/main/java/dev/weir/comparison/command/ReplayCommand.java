package dev.weir.comparison.command;

import dev.weir.comparison.Clients;
import dev.weir.comparison.Trace;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir replay}: recorded traffic. */
@Command(
    name = "replay",
    description = "Replays recorded traffic through every algorithm, in virtual time.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir replay access.log --limit 100/1m",
      "  weir replay access.log.gz --limit 10/1s --algorithms sliding-window --json -",
      "  zcat access.log.*.gz | weir replay - --store memory",
      "  weir replay api.jsonl --key field:tenant.id --cost field:units --time-field at",
      "  weir replay access.log --limit '100/1m burst 20' --assert 'false-denials<=0'"
    })
final class ReplayCommand implements Callable<Integer> {

  @Mixin private TraceOptions trace = new TraceOptions();

  @Mixin private ComparisonOptions options = new ComparisonOptions();

  private ReplayCommand() {}

  @Override
  public Integer call() throws IOException {
    options.checkOutputs(trace.file());
    try (Trace read = trace.read()) {
      return options.compare(read, Clients.open());
    }
  }
}
