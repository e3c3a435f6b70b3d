package dev.weir.comparison;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.RateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

/**
 * A benchmark measures, in real time, how many decisions a second each algorithm makes on each
 * store, and how long one takes.
 *
 * <p>Each thread asks for one permit after the other, of keys at random, so the figures are of a
 * closed loop: they tell what so many threads can do, not how long a request waits when more come
 * than can be served. All subjects take turns, several times, so that what else the machine does
 * falls on all of them. On Redis the call of an empty script is measured too: the floor, below
 * whose time nothing that asks the server can come unless it decides several requests by one call.
 *
 * @param quota what every algorithm is to admit; few denials if it is ample
 * @param algorithms names of algorithms; empty means all
 * @param stores names of stores
 * @param threads how many threads ask at the same time, one measurement each
 * @param keys how many different keys they ask for
 * @param duration how long each measurement takes, after half as long to warm up
 * @param peers whether to measure Redisson's and Bucket4j's limiters on the same server too
 */
public record Benchmark(
    Quota quota,
    List<String> algorithms,
    List<String> stores,
    List<Integer> threads,
    int keys,
    Duration duration,
    boolean peers) {

  private static final String REDIS = "redis";
  private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int DIGITS = 3;
  private static final int ROUNDS = 5;

  /**
   * Checks the settings.
   *
   * @param quota the component of that name
   * @param algorithms the component of that name
   * @param stores the component of that name
   * @param threads the component of that name
   * @param keys the component of that name
   * @param duration the component of that name
   * @param peers the component of that name
   * @throws NullPointerException if a component is null
   * @throws IllegalArgumentException if a number of threads is not from 1 to 1,000, there are no
   *     keys or more than a million, the duration is not from 10 ms to an hour, or there are peers
   *     but {@code redis} is not among the stores
   */
  public Benchmark {
    Objects.requireNonNull(quota, "quota");
    algorithms = List.copyOf(algorithms);
    stores = List.copyOf(stores);
    threads = List.copyOf(threads);
    for (int count : threads) {
      if (count < 1 || count > 1_000) {
        throw new IllegalArgumentException("threads are " + count + ", must be from 1 to 1000");
      }
    }
    if (keys < 1 || keys > 1_000_000) {
      throw new IllegalArgumentException("keys are " + keys + ", must be from 1 to 1000000");
    }
    if (duration.compareTo(Duration.ofMillis(10)) < 0
        || duration.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "the duration is " + duration + ", must be from 10 ms to an hour");
    }
    if (peers && !stores.contains(REDIS)) {
      throw new IllegalArgumentException(
          "the stores are " + stores + ", must have redis, for the peers are measured there");
    }
  }

  /** What is measured: a name, the store it works on, and one call. */
  record Subject(String name, String store, boolean peer, Call call) {}

  /** Asks for one permit of a key. */
  interface Call {
    void decide(String key);
  }

  /**
   * A measurement of one subject with one number of threads.
   *
   * @param subject the algorithm, or the name of a peer
   * @param store the store
   * @param peer whether the subject is a peer or the floor
   * @param threads how many threads asked
   * @param decisions how many decisions were made
   * @param perSecond how many of them in a second
   * @param ofFloor {@code perSecond} as a share of the floor's at as many threads; empty in memory
   * @param p50Micros the time of a decision that half of them did not pass, in microseconds
   * @param p90Micros that which 90 of 100 did not pass
   * @param p99Micros that which 99 of 100 did not pass
   * @param p999Micros that which 999 of 1,000 did not pass
   */
  public record Measurement(
      String subject,
      String store,
      boolean peer,
      int threads,
      long decisions,
      double perSecond,
      OptionalDouble ofFloor,
      double p50Micros,
      double p90Micros,
      double p99Micros,
      double p999Micros) {

    /**
     * Takes the figures.
     *
     * @param subject the component of that name
     * @param store the component of that name
     * @param peer the component of that name
     * @param threads the component of that name
     * @param decisions the component of that name
     * @param perSecond the component of that name
     * @param ofFloor the component of that name
     * @param p50Micros the component of that name
     * @param p90Micros the component of that name
     * @param p99Micros the component of that name
     * @param p999Micros the component of that name
     * @throws NullPointerException if a component is null
     */
    public Measurement {
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(store, "store");
      Objects.requireNonNull(ofFloor, "ofFloor");
    }
  }

  /**
   * Measures, for one and a half times the duration per subject and number of threads, and deletes
   * its keys in the end.
   *
   * @param redisson the client of a single server, which the store {@code redis} needs; the caller
   *     closes it
   * @param listener is told before each measurement
   * @return the measurements, by subject and then by number of threads
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if an algorithm or a store is not on the class path, or lacks
   *     the client
   * @throws RateLimiterUnavailableException if a store gave no answer
   */
  public List<Measurement> run(Optional<RedissonClient> redisson, ProgressListener listener) {
    String namespace = Comparison.freshNamespace();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      names.add("key" + i);
    }
    try {
      return run(subjects(redisson, namespace), names, listener);
    } finally {
      redisson.ifPresent(client -> new RedisProbe(client).deleteKeys(namespace));
    }
  }

  private List<Measurement> run(
      List<Subject> subjects, List<String> names, ProgressListener listener) {
    List<Series> all = new ArrayList<>();
    for (Subject subject : subjects) {
      threads.forEach(count -> all.add(new Series(subject, count)));
    }
    int total = (ROUNDS + 1) * all.size();
    int done = 0;
    for (int round = 0; round <= ROUNDS; round++) { // the first is to warm up
      for (Series series : all) {
        listener.progress(series.subject.name + " on " + series.subject.store, done++, total);
        if (round == 0) {
          measure(series.subject, series.threads, names, duration.dividedBy(2));
        } else {
          series.add(measure(series.subject, series.threads, names, duration.dividedBy(ROUNDS)));
        }
      }
    }
    return all.stream().map(series -> series.measurement(floor(all, series))).toList();
  }

  private static Optional<Series> floor(List<Series> all, Series series) {
    return all.stream()
        .filter(each -> each.subject.name.equals(Peers.EMPTY_SCRIPT))
        .filter(each -> each.subject.store.equals(series.subject.store))
        .filter(each -> each.threads == series.threads)
        .findFirst();
  }

  /** What was measured of one subject with one number of threads. */
  private static final class Series {

    final Subject subject;
    final int threads;
    private final Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    private long nanos;

    Series(Subject subject, int threads) {
      this.subject = subject;
      this.threads = threads;
    }

    void add(Timed timed) {
      times.add(timed.times);
      nanos += timed.nanos;
    }

    double perSecond() {
      return times.getTotalCount() / (nanos / 1e9);
    }

    Measurement measurement(Optional<Series> floor) {
      return new Measurement(
          subject.name,
          subject.store,
          subject.peer,
          threads,
          times.getTotalCount(),
          perSecond(),
          floor.isEmpty()
              ? OptionalDouble.empty()
              : OptionalDouble.of(perSecond() / floor.get().perSecond()),
          micros(50),
          micros(90),
          micros(99),
          micros(99.9));
    }

    private double micros(double percentile) {
      return times.getValueAtPercentile(percentile) / 1e3;
    }
  }

  private record Timed(Histogram times, long nanos) {}

  private List<Subject> subjects(Optional<RedissonClient> redisson, String namespace) {
    List<RateLimiterProvider> there =
        RateLimiters.providers().stream()
            .filter(provider -> stores.contains(provider.store()))
            .toList();
    Comparison.requireAll(
        "store", stores, there.stream().map(RateLimiterProvider::store).distinct().toList());
    Comparison.requireAll(
        "algorithm",
        algorithms,
        there.stream().map(RateLimiterProvider::algorithm).distinct().toList());
    ProviderContext context = ProviderContext.of(namespace);
    List<Subject> subjects = new ArrayList<>();
    if (redisson.isPresent() && stores.contains(REDIS)) {
      context = context.with(RedissonClient.class, redisson.get());
      subjects.add(Peers.emptyScript(redisson.get(), namespace));
    }
    for (RateLimiterProvider provider : there) {
      if (algorithms.isEmpty() || algorithms.contains(provider.algorithm())) {
        RateLimiter limiter = provider.create(quota, context);
        subjects.add(
            new Subject(provider.algorithm(), provider.store(), false, limiter::tryAcquire));
      }
    }
    if (peers) {
      subjects.addAll(Peers.of(redisson.orElseThrow(), namespace, quota));
    }
    return subjects;
  }

  private static Timed measure(
      Subject subject, int threads, List<String> names, Duration duration) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      long end = start + duration.toNanos();
      List<Future<Histogram>> working = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = new SplittableRandom(i);
        working.add(executor.submit(() -> ask(subject, names, end, random)));
      }
      Histogram all = new Histogram(LONGEST_NANOS, DIGITS);
      for (Future<Histogram> each : working) {
        all.add(result(each));
      }
      return new Timed(all, System.nanoTime() - start);
    } finally {
      executor.shutdownNow();
    }
  }

  private static Histogram ask(
      Subject subject, List<String> names, long end, SplittableRandom random) {
    Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    long now = System.nanoTime();
    do { // at least one, however short the time
      subject.call.decide(names.get(random.nextInt(names.size())));
      long after = System.nanoTime();
      times.recordValue(Math.min(after - now, LONGEST_NANOS));
      now = after;
    } while (now - end < 0);
    return times;
  }

  private static Histogram result(Future<Histogram> work) {
    try {
      return work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RateLimiterUnavailableException unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException("a decision failed while measuring", e.getCause());
    }
  }

  /**
   * Writes measurements as JSON, schema {@code weir-bench/1}.
   *
   * @param measurements what {@link #run} returned
   * @param command the command line that made them, to be quoted in the document
   * @param server which Redis server took part, or null
   * @return the document, with a line feed at its end
   * @throws NullPointerException if {@code measurements} or {@code command} is null
   */
  public String toJson(List<Measurement> measurements, String command, @Nullable String server) {
    ObjectNode document = ComparisonJson.document();
    document
        .put("schema", "weir-bench/1")
        .put("command", Objects.requireNonNull(command, "command"))
        .put("limit", quota.toString())
        .put("keys", keys)
        .put("duration_ms", duration.toMillis())
        .put("redis", server)
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("java", System.getProperty("java.version"));
    ArrayNode results = document.putArray("results");
    for (Measurement each : measurements) {
      ObjectNode node =
          results
              .addObject()
              .put("subject", each.subject)
              .put("store", each.store)
              .put("peer", each.peer)
              .put("threads", each.threads)
              .put("decisions", each.decisions)
              .put("per_second", Math.round(each.perSecond));
      if (each.ofFloor.isPresent()) {
        node.put("of_floor", Math.round(1_000 * each.ofFloor.getAsDouble()) / 1_000.0);
      } else {
        node.putNull("of_floor");
      }
      node.put("p50_us", each.p50Micros)
          .put("p90_us", each.p90Micros)
          .put("p99_us", each.p99Micros)
          .put("p999_us", each.p999Micros);
    }
    return ComparisonJson.text(document);
  }
}
