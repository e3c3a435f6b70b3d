package dev.weir.benchmarks;

import dev.weir.Quota;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
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

  /** The size of a decision, the durations that it refers to aside. */
  private static final int DECISION_BYTES = 40;

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

  /**
   * How long a measurement takes. The warm-up is to last three seconds, since the compiler's last
   * word comes only after windows have ended and the sweep has begun: before it a decision may take
   * four times as long.
   */
  private record Effort(
      List<Scenario> scenarios, int rounds, int warmups, int iterations, Duration iteration) {

    static final Effort QUICK =
        new Effort(
            List.of(Scenario.ONE_KEY, Scenario.HOT_KEY, Scenario.MILLION_KEYS, Scenario.DECISION),
            1,
            7,
            2,
            Duration.ofMillis(400));

    static Effort full(int rounds) {
      return new Effort(List.of(Scenario.values()), rounds, 8, 3, Duration.ofMillis(500));
    }
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
      double[] ratios = nanos.get(limiter).stream().mapToDouble(figure -> figure).toArray();
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
    String rounds = args.length == 0 ? "5" : args[0];
    Effort effort = rounds.equals("quick") ? Effort.QUICK : Effort.full(Integer.parseInt(rounds));
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
   * Measures what can be measured in two minutes.
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
          for (String algorithm : RedisSubject.ALGORITHMS) {
            String what = "Memory, " + scenario.title + ": " + algorithm;
            if (scenario.method.equals("decision")) {
              ratios.add(
                  Ratio.of(
                      what + ", bytes", DECISION_BYTES, false, wholeBytes(figures, algorithm)));
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
    System.out.println("| | ns, lowest to highest | of the fastest peer | bytes allocated |");
    System.out.println("|---|---|---|---|");
    for (String limiter : figures.nanos.keySet()) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %.0f |%n",
          limiter,
          Spread.of(figures.nanos.get(limiter)).text("%.1f"),
          scenario.method.equals("decision")
              ? ""
              : Spread.of(figures.toFastestPeer(limiter)).text("%.2f"),
          Spread.of(figures.bytes.get(limiter)).median());
    }
  }

  private static Map<Scenario, Figures> measure(Effort effort) throws RunnerException {
    Map<Scenario, Figures> all = new EnumMap<>(Scenario.class);
    for (int round = 0; round < effort.rounds; round++) {
      for (Scenario scenario : effort.scenarios) {
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
    List<String> limiters = new ArrayList<>(RedisSubject.ALGORITHMS);
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

  private static double bytesPerKey(String limiter) throws IOException, InterruptedException {
    List<String> lines = ChildJvm.run("3g", InMemoryRatios.class, "bytes", limiter);
    return Double.parseDouble(lines.get(0));
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
