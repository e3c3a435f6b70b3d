package dev.weir.benchmarks;

import dev.weir.Quota;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * How long the limiters in memory take to decide, as ratios to the fastest of others, and what a
 * key and a decision cost on the heap.
 *
 * <p>Each round gives every limiter a fork of JMH of its own in turn, so that what disturbs the
 * machine for a while meets each of them; a ratio is that of one round.
 */
public final class InMemoryRatios {

  /** The most that a key of a fixed window or a bucket should cost. */
  private static final double BYTES_PER_KEY = 96;

  /** A decision (40 bytes), and a duration (24 bytes) for each wait that is not zero. */
  private static final Map<String, Integer> DECISION_BYTES = Map.of("admitted", 64, "denied", 88);

  private InMemoryRatios() {}

  /** What is measured. */
  private enum Scenario {
    ONE_KEY("one key, 1 thread, admitted", "oneKey", "admitted", 1),
    ONE_KEY_DENIED("one key, 1 thread, denied", "oneKey", "denied", 1),
    HOT_KEY("one hot key, 2 threads, admitted", "oneKey", "admitted", 2),
    HOT_KEY_DENIED("one hot key, 2 threads, denied", "oneKey", "denied", 2),
    MILLION_KEYS("1,000,000 keys, 2 threads, admitted", "millionKeys", null, 2),
    DECISION("a decision that is kept, admitted", "decision", "admitted", 1),
    DECISION_DENIED("a decision that is kept, denied", "decision", "denied", 1);

    private final String title;
    private final String method;
    private final String answer;
    private final int threads;

    Scenario(String title, String method, String answer, int threads) {
      this.title = title;
      this.method = method;
      this.answer = answer;
      this.threads = threads;
    }
  }

  /** How long a measurement takes. */
  private record Effort(int rounds, int warmups, int iterations, Duration iteration) {

    static final Effort FULL = new Effort(5, 4, 3, Duration.ofMillis(400));
    static final Effort QUICK = new Effort(1, 3, 3, Duration.ofMillis(150));
  }

  /** Nanoseconds and bytes of one decision, one figure of each round. */
  private static final class Figures {

    private final Map<String, List<Double>> nanos = new LinkedHashMap<>();
    private final Map<String, List<Double>> bytes = new LinkedHashMap<>();

    private void add(RunResult result) {
      String limiter = result.getParams().getParam("limiter");
      add(nanos, limiter, result.getPrimaryResult().getScore());
      add(bytes, limiter, result.getSecondaryResults().get("gc.alloc.rate.norm").getScore());
    }

    private static void add(Map<String, List<Double>> to, String limiter, double figure) {
      to.computeIfAbsent(limiter, l -> new ArrayList<>()).add(figure);
    }

    /** The ratio of an algorithm to the fastest peer of each round. */
    private double[] toFastestPeer(String limiter) {
      double[] ratios = array(nanos.get(limiter));
      for (int i = 0; i < ratios.length; i++) {
        int round = i;
        ratios[i] /=
            MemorySubject.PEERS.stream()
                .mapToDouble(peer -> nanos.get(peer).get(round))
                .min()
                .getAsDouble();
      }
      return ratios;
    }
  }

  /**
   * Measures everything and prints Markdown.
   *
   * @param args {@code quick}, a number of rounds, or nothing; a child gets its own
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      System.out.println(bytesOfKeys(args[1]) / InMemoryBenchmark.KEYS);
      return;
    }
    Effort effort = Effort.FULL;
    if (args.length == 1) {
      effort =
          args[0].equals("quick")
              ? Effort.QUICK
              : new Effort(
                  Integer.parseInt(args[0]), effort.warmups, effort.iterations, effort.iteration);
    }
    Map<Scenario, Figures> figures = measure(effort);
    figures.forEach(InMemoryRatios::print);
    Map<String, Double> keys = new LinkedHashMap<>();
    System.out.printf("%nbytes of a key at %,d keys%n%n| | bytes |%n|---|---|%n", 1_000_000);
    for (String limiter : limiters("millionKeys")) {
      keys.put(limiter, bytesPerKey(limiter));
      System.out.printf(Locale.ROOT, "| %s | %.1f |%n", limiter, keys.get(limiter));
    }
    System.out.println();
    System.out.println(Ratio.HEAD);
    ratios(figures, keys).forEach(ratio -> System.out.println(ratio.row()));
  }

  /**
   * Measures what can be measured in a minute and a half.
   *
   * @return a row for each target
   * @throws Exception if something cannot be measured
   */
  static List<Ratio> quick() throws Exception {
    Map<String, Double> keys = new LinkedHashMap<>();
    for (String limiter : List.of("fixed-window", "token-bucket")) {
      keys.put(limiter, bytesPerKey(limiter));
    }
    return ratios(measure(Effort.QUICK), keys);
  }

  private static List<Ratio> ratios(Map<Scenario, Figures> all, Map<String, Double> keys) {
    List<Ratio> ratios = new ArrayList<>();
    all.forEach(
        (scenario, figures) -> {
          for (String algorithm : MemorySubject.ALGORITHMS) {
            String what = "Memory, " + scenario.title + ": " + algorithm;
            if (scenario.method.equals("decision")) {
              ratios.add(
                  Ratio.of(
                      what + ", bytes",
                      DECISION_BYTES.get(scenario.answer),
                      false,
                      wholeBytes(figures, algorithm)));
            } else {
              ratios.add(
                  Ratio.of(
                      what + " against the fastest peer",
                      1,
                      false,
                      figures.toFastestPeer(algorithm)));
            }
            if (scenario == Scenario.ONE_KEY || scenario == Scenario.ONE_KEY_DENIED) {
              ratios.add(Ratio.of(what + ", bytes", 0, false, wholeBytes(figures, algorithm)));
            }
          }
        });
    for (String algorithm : List.of("fixed-window", "token-bucket")) {
      ratios.add(
          Ratio.of(
              "Memory, 1,000,000 keys: " + algorithm + ", bytes a key",
              BYTES_PER_KEY,
              false,
              keys.get(algorithm)));
    }
    return ratios;
  }

  /** What others allocate meanwhile shows as fractions of a byte. */
  private static double[] wholeBytes(Figures figures, String algorithm) {
    return figures.bytes.get(algorithm).stream().mapToDouble(Math::rint).toArray();
  }

  private static void print(Scenario scenario, Figures figures) {
    System.out.printf("%n%s%n%n", scenario.title);
    System.out.println("| | ns | lowest to highest | of the fastest peer | bytes allocated |");
    System.out.println("|---|---|---|---|---|");
    for (String limiter : figures.nanos.keySet()) {
      double[] nanos = sorted(array(figures.nanos.get(limiter)));
      double[] bytes = sorted(array(figures.bytes.get(limiter)));
      System.out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f to %.1f | %s | %.0f |%n",
          limiter,
          nanos[nanos.length / 2],
          nanos[0],
          nanos[nanos.length - 1],
          scenario.method.equals("decision")
              ? ""
              : String.format(
                  Locale.ROOT, "%.2f", sorted(figures.toFastestPeer(limiter))[nanos.length / 2]),
          bytes[bytes.length / 2]);
    }
  }

  private static double[] array(List<Double> figures) {
    return figures.stream().mapToDouble(figure -> figure).toArray();
  }

  private static double[] sorted(double[] values) {
    return DoubleStream.of(values).sorted().toArray();
  }

  private static Map<Scenario, Figures> measure(Effort effort) throws RunnerException {
    Map<Scenario, Figures> all = new EnumMap<>(Scenario.class);
    for (int round = 0; round < effort.rounds; round++) {
      for (Scenario scenario : Scenario.values()) {
        System.err.printf("round %d of %d: %s%n", round + 1, effort.rounds, scenario.title);
        ChainedOptionsBuilder options =
            new OptionsBuilder()
                .include(InMemoryBenchmark.class.getName() + "." + scenario.method + "$")
                .param("limiter", limiters(scenario.method).toArray(new String[0]))
                .threads(scenario.threads)
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(time(effort.iteration))
                .measurementIterations(effort.iterations)
                .measurementTime(time(effort.iteration))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT);
        if (scenario.answer != null) {
          options.param("answer", scenario.answer);
        }
        Figures figures = all.computeIfAbsent(scenario, s -> new Figures());
        new Runner(options.build()).run().forEach(figures::add);
      }
    }
    return all;
  }

  private static List<String> limiters(String method) {
    List<String> limiters = new ArrayList<>(MemorySubject.ALGORITHMS);
    if (!method.equals("decision")) {
      limiters.addAll(MemorySubject.PEERS);
    }
    if (method.equals("oneKey")) {
      limiters.add("System.nanoTime");
    }
    return limiters;
  }

  private static TimeValue time(Duration duration) {
    return TimeValue.milliseconds(duration.toMillis());
  }

  private static double bytesPerKey(String limiter) {
    try {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx3g",
                  "-cp",
                  System.getProperty("java.class.path"),
                  InMemoryRatios.class.getName(),
                  "bytes",
                  limiter)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      byte[] answer = child.getInputStream().readAllBytes();
      return Double.parseDouble(new String(answer, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a child does: returns by how much the heap grows when a million keys are asked for. */
  private static double bytesOfKeys(String limiter) {
    String[] keys = InMemoryBenchmark.ManyKeys.keys();
    Predicate<String> subject =
        MemorySubject.keyed(limiter, Quota.of(1_000_000, Duration.ofMinutes(1)));
    double before = heap();
    for (String key : keys) {
      subject.test(key);
    }
    double after = heap();
    Reference.reachabilityFence(subject);
    Reference.reachabilityFence(keys);
    return after - before;
  }

  private static double heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
