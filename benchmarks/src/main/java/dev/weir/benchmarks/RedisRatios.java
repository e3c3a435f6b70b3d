package dev.weir.benchmarks;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiters;
import dev.weir.denialcache.DenialCachingRateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.redisson.api.RedissonClient;

/**
 * How many decisions a second the limiters on Redis make, as ratios to those of others and to the
 * calls of an empty script.
 *
 * <p>All work on one server. A fork is a JVM in which all take turns, round by round, through one
 * client, so that what disturbs the machine for a while meets each of them; a ratio is that of the
 * medians of one fork.
 */
public final class RedisRatios {

  private static final int FORKS = 5;
  private static final String CACHED = "sliding-window behind the denial cache";

  private RedisRatios() {}

  /** What is measured. */
  private enum Scenario {
    HOT_KEY("one hot key, 64 threads, mostly denied", 1, 64, false, 1_000, Peers.ALL),
    HOT_KEY_ASYNC("one hot key, 64 in flight, mostly denied", 1, 64, true, 1_000, Peers.ALL),
    HOT_KEY_ADMITTED("one hot key, 64 threads, admitted", 1, 64, false, 1_000_000, Peers.REDISSON),
    HOT_KEY_ADMITTED_ASYNC(
        "one hot key, 64 in flight, admitted", 1, 64, true, 1_000_000, Peers.REDISSON),
    MANY_KEYS("10,000 keys, 16 threads", 10_000, 16, false, 1_000, Peers.REDISSON),
    MANY_KEYS_ASYNC("10,000 keys, 256 in flight", 10_000, 256, true, 1_000, Peers.REDISSON),
    DENIAL_CACHE("one hot key, 64 threads, always denied", 1, 64, false, 1, Peers.CACHE);

    private final String title;
    private final ClosedLoop loop;
    private final Quota quota;
    private final Peers peers;

    Scenario(String title, int keys, int callers, boolean async, long limit, Peers peers) {
      this.title = title;
      this.loop = ClosedLoop.over(keys, callers, async);
      // Longer than a measurement where everything is to be denied.
      this.quota = Quota.of(limit, limit == 1 ? Duration.ofDays(1) : Duration.ofSeconds(1));
      this.peers = peers;
    }

    private List<RedisSubject> subjects(RedissonClient redisson) {
      List<RedisSubject> subjects = new ArrayList<>();
      String namespace = name();
      if (peers == Peers.CACHE) {
        subjects.add(RedisSubject.weir(redisson, namespace, "sliding-window", quota));
        subjects.add(
            RedisSubject.of(
                CACHED,
                DenialCachingRateLimiter.of(
                    RateLimiters.create(
                        "redis",
                        "sliding-window",
                        quota,
                        ProviderContext.of(namespace).with(RedissonClient.class, redisson)))));
        return subjects;
      }
      subjects.add(RedisSubject.floor(redisson, namespace));
      for (String algorithm : RedisSubject.ALGORITHMS) {
        subjects.add(RedisSubject.weir(redisson, namespace, algorithm, quota));
      }
      subjects.add(RedisSubject.redisson(redisson, namespace, quota));
      if (peers == Peers.ALL) {
        subjects.add(RedisSubject.bucket4j(redisson, namespace, quota));
      }
      return subjects;
    }
  }

  private enum Peers {
    ALL,
    REDISSON,
    CACHE
  }

  /** How long a measurement takes. */
  private record Effort(int forks, int warmups, int rounds, Duration round) {

    static final Effort FULL = new Effort(FORKS, 4, 5, Duration.ofMillis(400));
    static final Effort QUICK = new Effort(1, 3, 3, Duration.ofMillis(300));
  }

  /** Decisions a second of the subjects of a scenario, one figure of each fork. */
  private static final class Figures {

    private final Map<String, List<Double>> rates = new LinkedHashMap<>();

    double[] of(String subject) {
      return rates.get(subject).stream().mapToDouble(rate -> rate).toArray();
    }

    /** The ratio of each fork. */
    double[] ratios(String subject, String peer) {
      double[] ratios = of(subject);
      double[] others = of(peer);
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] /= others[i];
      }
      return ratios;
    }

    /** The lowest ratio of an algorithm in each fork. */
    double[] slowest(String peer) {
      double[] slowest = of(peer);
      Arrays.fill(slowest, Double.POSITIVE_INFINITY);
      for (String algorithm : RedisSubject.ALGORITHMS) {
        double[] ratios = ratios(algorithm, peer);
        for (int i = 0; i < ratios.length; i++) {
          slowest[i] = Math.min(slowest[i], ratios[i]);
        }
      }
      return slowest;
    }
  }

  /**
   * Measures everything and prints Markdown.
   *
   * @param args {@code quick}, the names of scenarios, or nothing for all of them
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].startsWith("redis://")) {
      fork(args[0], Scenario.valueOf(args[1]), args);
      return;
    }
    boolean quick = args.length > 0 && args[0].equals("quick");
    List<Scenario> scenarios = Stream.of(args).skip(quick ? 1 : 0).map(Scenario::valueOf).toList();
    Map<Scenario, Figures> figures =
        measure(
            quick ? Effort.QUICK : Effort.FULL,
            scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios);
    figures.forEach(RedisRatios::print);
    System.out.println(Ratio.HEAD);
    ratios(figures).forEach(ratio -> System.out.println(ratio.row()));
  }

  /**
   * Measures what can be measured in two minutes.
   *
   * @return a row for each target
   * @throws Exception if something cannot be measured
   */
  static List<Ratio> quick() throws Exception {
    return ratios(measure(Effort.QUICK, List.of(Scenario.values())));
  }

  private static List<Ratio> ratios(Map<Scenario, Figures> all) {
    List<Ratio> ratios = new ArrayList<>();
    String redisson = RedisSubject.REDISSON;
    all.forEach(
        (scenario, figures) -> {
          switch (scenario) {
            case HOT_KEY, HOT_KEY_ADMITTED ->
                ratios.add(row(scenario, redisson, 5, figures.slowest(redisson)));
            case HOT_KEY_ASYNC, HOT_KEY_ADMITTED_ASYNC ->
                ratios.add(row(scenario, redisson, 10, figures.slowest(redisson)));
            case MANY_KEYS ->
                ratios.add(
                    row(scenario, RedisSubject.FLOOR, 0.85, figures.slowest(RedisSubject.FLOOR)));
            case MANY_KEYS_ASYNC ->
                ratios.add(row(scenario, redisson, 3, figures.slowest(redisson)));
            case DENIAL_CACHE ->
                ratios.add(
                    row(
                        scenario,
                        "without the cache",
                        100,
                        figures.ratios(CACHED, "sliding-window")));
          }
          if (scenario.peers == Peers.ALL) {
            String bucket4j = RedisSubject.BUCKET4J;
            ratios.add(row(scenario, bucket4j, 50, figures.slowest(bucket4j)));
          }
        });
    return ratios;
  }

  private static Ratio row(Scenario scenario, String peer, double target, double[] perFork) {
    return Ratio.of("Redis, " + scenario.title + ": against " + peer, target, true, perFork);
  }

  private static void print(Scenario scenario, Figures figures) {
    System.out.printf("%n%s%n%n", scenario.title);
    System.out.println(
        "| | decisions/s, lowest to highest | of an empty script | of RRateLimiter |");
    System.out.println("|---|---|---|---|");
    for (String subject : figures.rates.keySet()) {
      System.out.printf(
          "| %s | %s | %s | %s |%n",
          subject,
          Spread.of(figures.of(subject)).text("%,.0f"),
          ratio(figures, subject, RedisSubject.FLOOR),
          ratio(figures, subject, RedisSubject.REDISSON));
    }
    System.out.println();
  }

  private static String ratio(Figures figures, String subject, String peer) {
    if (!figures.rates.containsKey(peer)) {
      return "";
    }
    return Spread.of(figures.ratios(subject, peer)).text("%.2f");
  }

  private static Map<Scenario, Figures> measure(Effort effort, Collection<Scenario> scenarios)
      throws IOException, InterruptedException {
    Map<Scenario, Figures> all = new EnumMap<>(Scenario.class);
    for (int fork = 0; fork < effort.forks; fork++) {
      for (Scenario scenario : scenarios) {
        // A server of its own: what the last scenario left would weigh on the next.
        try (LocalRedis redis = new LocalRedis()) {
          System.err.printf("fork %d of %d: %s%n", fork + 1, effort.forks, scenario.title);
          run(redis.uri, scenario, effort)
              .forEach(
                  (subject, rate) ->
                      all.computeIfAbsent(scenario, s -> new Figures())
                          .rates
                          .computeIfAbsent(subject, s -> new ArrayList<>())
                          .add(rate));
        }
      }
    }
    return all;
  }

  private static Map<String, Double> run(String uri, Scenario scenario, Effort effort)
      throws IOException, InterruptedException {
    Map<String, Double> rates = new LinkedHashMap<>();
    for (String line :
        ChildJvm.run(
            "1g",
            RedisRatios.class,
            uri,
            scenario.name(),
            String.valueOf(effort.warmups),
            String.valueOf(effort.rounds),
            effort.round.toString())) {
      String[] figure = line.split("\t");
      rates.put(figure[0], Double.valueOf(figure[1]));
    }
    return rates;
  }

  /** What a fork does: prints the median rate of each subject. */
  private static void fork(String uri, Scenario scenario, String[] args)
      throws ExecutionException, InterruptedException {
    int warmups = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    Duration round = Duration.parse(args[4]);
    RedissonClient redisson = LocalRedis.client(uri);
    try {
      List<RedisSubject> subjects = scenario.subjects(redisson);
      subjects.forEach(subject -> subject.prepare().accept(scenario.loop.keys()));
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      for (int i = 0; i < warmups + rounds; i++) {
        for (RedisSubject subject : subjects) {
          double rate = scenario.loop.rate(subject, round);
          if (i >= warmups) {
            rates.computeIfAbsent(subject.name(), s -> new ArrayList<>()).add(rate);
          }
        }
      }
      rates.forEach(
          (subject, each) -> System.out.println(subject + "\t" + Spread.of(each).median()));
    } finally {
      redisson.shutdown();
    }
  }
}
