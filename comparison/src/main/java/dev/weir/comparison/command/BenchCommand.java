package dev.weir.comparison.command;

import dev.weir.Quota;
import dev.weir.comparison.Benchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir bench}: real time. */
@Command(
    name = "bench",
    description =
        "Measures in real time how many decisions a second each algorithm makes on each store, and"
            + " how long one takes; on Redis also as a share of what the call of an empty script"
            + " reaches. On a busy machine trust the shares rather than the figures.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir bench --store memory",
      "  weir bench --redis redis://127.0.0.1:6379 --store redis --concurrency 1,16,64 --peers",
      "  weir bench --algorithms token-bucket --keys 1 --seconds 10 --json -"
    })
final class BenchCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N/WINDOW",
      parameterConsumer = ComparisonOptions.QuotaConsumer.class,
      description = "Permits per window (default: 1000/1s, so that few are denied).")
  private Quota quota = Quota.of(1_000, Duration.ofSeconds(1));

  @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

  @Option(
      names = "--store",
      paramLabel = "NAME",
      defaultValue = "both",
      description = "memory, redis or both (default: both).")
  private String store = "both";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = "A single Redis server to use (default: an embedded one).")
  private @Nullable String redis;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,4,16",
      description = "Numbers of threads with commas in between (default: 1,4,16).")
  private List<Integer> threads = List.of();

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many keys are asked for, at random (default: 1000).")
  private int keys = 1_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "How long each measurement takes, after half as long to warm up (default: 2).")
  private double seconds = 2;

  @Option(
      names = "--peers",
      description =
          "Also measure Redisson's RRateLimiter and Bucket4j on the same server, through the same"
              + " client.")
  private boolean peers;

  @Mixin private JsonOption json = new JsonOption();

  private BenchCommand() {}

  @Override
  public Integer call() throws IOException {
    CommandSpec command = Objects.requireNonNull(spec, "picocli injects the command");
    List<String> stores = store.equals("both") ? List.of("memory", "redis") : List.of(store);
    if (!stores.contains("redis") && (peers || redis != null)) {
      throw new ParameterException(
          command.commandLine(), "--peers and --redis need --store redis or both");
    }
    json.file().ifPresent(file -> file.check(command.commandLine()));
    Benchmark benchmark =
        new Benchmark(
            quota,
            algorithms.names(),
            stores,
            threads,
            keys,
            Duration.ofNanos((long) (seconds * 1e9)),
            peers);
    PrintWriter err = command.commandLine().getErr();
    List<Benchmark.Measurement> measured;
    String server = null;
    try (Progress progress = new Progress(err)) {
      if (stores.contains("redis")) {
        try (RedisConnection connection = RedisConnection.open(redis)) {
          server = connection.description();
          measured = benchmark.run(Optional.of(connection.client()), progress);
        }
      } else {
        measured = benchmark.run(Optional.empty(), progress);
      }
    }
    print(measured, server, json.tables(command.commandLine()));
    String described = server;
    json.write(
        command.commandLine(), commandLine -> benchmark.toJson(measured, commandLine, described));
    return 0;
  }

  private void print(
      List<Benchmark.Measurement> measured, @Nullable String server, PrintWriter out) {
    out.println(
        "limit "
            + quota
            + ", "
            + Text.count(keys, "key")
            + (server == null ? "" : "; redis is " + server)
            + "; "
            + Text.count(Runtime.getRuntime().availableProcessors(), "processor")
            + ", Java "
            + System.getProperty("java.version"));
    out.println();
    List<List<String>> table = new ArrayList<>();
    table.add(
        List.of(
            "algorithm",
            "store",
            "threads",
            "decisions/s",
            "of floor",
            "p50 us",
            "p90 us",
            "p99 us",
            "p99.9 us"));
    for (Benchmark.Measurement each : measured) {
      OptionalDouble share = each.ofFloor();
      table.add(
          List.of(
              each.peer() ? "(" + each.subject() + ")" : each.subject(),
              each.store(),
              String.valueOf(each.threads()),
              String.format(Locale.ROOT, "%,.0f", each.perSecond()),
              share.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", share.getAsDouble()),
              micros(each.p50Micros()),
              micros(each.p90Micros()),
              micros(each.p99Micros()),
              micros(each.p999Micros())));
    }
    Text.table(table, 2, out);
    if (server != null) {
      out.println();
      out.println(
          "of floor: decisions/s as a share of calls of an empty script at as many threads; above 1"
              + " where one call decides several requests for a key.");
    }
    out.flush();
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
  }
}
