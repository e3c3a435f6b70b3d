package dev.weir.comparison.command;

import dev.weir.Quota;
import dev.weir.comparison.Clients;
import dev.weir.comparison.Comparison;
import dev.weir.comparison.ComparisonReport;
import dev.weir.comparison.ComparisonResult;
import dev.weir.comparison.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import picocli.CommandLine;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of the commands that compare, and what these commands do with them. */
final class ComparisonOptions {

  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N/WINDOW",
      parameterConsumer = QuotaConsumer.class,
      description = {
        "Permits per window, with a unit of us, ms, s, m, h or d; 'burst N' sets the capacity of a"
            + " token bucket (default: 100/1m).",
      })
  Quota quota = Quota.of(100, Duration.ofMinutes(1));

  @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

  @Option(
      names = "--store",
      paramLabel = "NAME",
      defaultValue = "both",
      description = "memory, redis or both (default: both); both must agree on every decision.")
  private String store = "both";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "A single Redis server to use, redis://HOST:PORT (default: an embedded one, started and"
              + " stopped by the command). Nobody else should use it meanwhile: its count of"
              + " commands is of all clients.")
  private @Nullable String redis;

  @Option(
      names = "--clients",
      paramLabel = "HOW",
      description =
          "What denied clients do: open, nothing; obey, come again after the wait they were told;"
              + " hammer:1s, come again every second (default: open; of retry-storm obey).")
  private @Nullable String clients;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write an HTML page with the figures and their pictures.")
  private @Nullable Path report;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Write an SVG picture of the worst window of each algorithm, for other pages.")
  private @Nullable Path picture;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "What random traffic follows from (default: 1).")
  long seed = 1;

  @Option(
      names = "--assert",
      paramLabel = "CONDITION",
      description =
          "Exit with 1 unless it holds, such as 'max-overshoot<=1.0' (repeatable). Figures:"
              + " max-overshoot, false-denials, honest (percent), denied; the worst result counts.")
  private List<String> assertions = List.of();

  /**
   * Refuses files for results that could not be written, or would overwrite one another or the
   * input.
   */
  void checkOutputs(Optional<Path> input) {
    List<OutputFile> files = new ArrayList<>();
    json.file().ifPresent(files::add);
    reportFile().ifPresent(files::add);
    pictureFile().ifPresent(files::add);
    for (int i = 0; i < files.size(); i++) {
      OutputFile file = files.get(i);
      file.check(command());
      input.ifPresent(trace -> file.checkIsNot("the trace", trace, command()));
      for (OutputFile other : files.subList(0, i)) {
        file.checkIsNot("that of " + other.option(), other.path(), command());
      }
    }
  }

  private Optional<OutputFile> reportFile() {
    return Optional.ofNullable(report).map(path -> new OutputFile("--report", path));
  }

  private Optional<OutputFile> pictureFile() {
    return Optional.ofNullable(picture).map(path -> new OutputFile("--picture", path));
  }

  /** Compares the algorithms on the trace, tells the result, and returns the exit code. */
  int compare(Trace trace, Clients usualClients) throws IOException {
    CommandLine command = command();
    List<Assertion> parsed = assertions.stream().map(Assertion::parse).toList();
    Comparison comparison =
        Comparison.of(trace)
            .with(quota)
            .with(clients == null ? usualClients : Clients.parse(clients))
            .algorithms(algorithms.names());
    List<String> stores = stores();
    ComparisonResult result;
    String server = null;
    if (stores.contains("redis")) {
      try (RedisConnection connection = RedisConnection.open(redis)) {
        server = connection.description();
        result = run(comparison.stores(stores).with(RedissonClient.class, connection.client()));
      }
    } else {
      result = run(comparison.stores(stores));
    }
    ResultTable.print(result, server, json.tables(command));
    json.write(command, result::toJson);
    List<String> broken =
        parsed.stream().flatMap(assertion -> Stream.ofNullable(assertion.broken(result))).toList();
    broken.forEach(message -> command.getErr().println("weir: " + message));
    return broken.isEmpty() ? 0 : WeirCommand.FAILED;
  }

  private ComparisonResult run(Comparison comparison) throws IOException {
    try (Progress progress = new Progress(command().getErr())) {
      Comparison shown = comparison.with(progress);
      if (report == null && picture == null) {
        return shown.run();
      }
      ComparisonReport made = shown.report();
      Optional<OutputFile> html = reportFile();
      if (html.isPresent()) {
        html.get().write(made.toHtml(commandLine()));
      }
      Optional<OutputFile> svg = pictureFile();
      if (svg.isPresent()) {
        svg.get().write(made.toSvg());
      }
      return made.result();
    }
  }

  private String commandLine() {
    return WeirCommand.commandLine(spec);
  }

  private List<String> stores() {
    List<String> stores = store.equals("both") ? List.of("memory", "redis") : List.of(store);
    if (redis != null && !stores.contains("redis")) {
      throw new ParameterException(
          command(),
          "--redis names a server, but --store is '" + store + "', must be redis or both");
    }
    return stores;
  }

  private CommandLine command() {
    if (spec == null) {
      throw new IllegalStateException("picocli injects the command before it runs");
    }
    return spec.commandLine();
  }

  /** Takes {@code 100/1m burst 20} also as three words. */
  static final class QuotaConsumer implements IParameterConsumer {

    QuotaConsumer() {}

    @Override
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
      if (args.isEmpty()) {
        throw new ParameterException(command.commandLine(), "--limit needs a value such as 100/1m");
      }
      String text = args.pop();
      if (args.size() >= 2 && args.peek().equals("burst")) {
        args.pop();
        text += " burst " + args.pop();
      }
      try {
        option.setValue(Quota.parse(text));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(command.commandLine(), "--limit: " + e.getMessage(), e);
      }
    }
  }
}
