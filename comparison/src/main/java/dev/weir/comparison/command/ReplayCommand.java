package dev.weir.comparison.command;

import dev.weir.comparison.Trace;
import dev.weir.comparison.TraceFormat;
import dev.weir.comparison.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "  weir replay access.log --limit '100/1m burst 20' --assert 'false-denials<=0'"
    })
final class ReplayCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "TRACE",
      description = "An access log, plain or gzip; - is standard input. The key is the host.")
  private String trace = "";

  @Option(
      names = "--format",
      defaultValue = "auto",
      description = "${COMPLETION-CANDIDATES} (default: auto, from the first lines).")
  private TraceFormat format = TraceFormat.AUTO;

  @Mixin private ComparisonOptions options = new ComparisonOptions();

  private ReplayCommand() {}

  @Override
  public Integer call() throws IOException {
    TraceReader reader = TraceReader.of(format);
    try (Trace read =
        trace.equals("-")
            ? reader.read("standard input", System.in)
            : reader.read(Path.of(trace))) {
      return options.compare(read);
    }
  }
}
