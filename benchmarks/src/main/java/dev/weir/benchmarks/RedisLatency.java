package dev.weir.benchmarks;

import dev.weir.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.redisson.api.RedissonClient;

/**
 * How long a decision on Redis takes while requests arrive at a fixed rate, whatever became of
 * those before them.
 *
 * <p>The time of a request counts from when it was due, not from when it was sent, so a limiter
 * that holds up its callers pays for all who arrive meanwhile. Ours and a peer are compared at one
 * rate: half of what the slowest of them does in a {@link ClosedLoop} of the same run.
 */
public final class RedisLatency {

  private static final Quota QUOTA = Quota.of(1_000, Duration.ofSeconds(1));
  private static final int IN_FLIGHT = 64; // in the closed loop
  private static final int LOOPS = 4; // the first half warms up
  private static final Duration LOOP = Duration.ofMillis(500);
  private static final int ROUNDS = 5;
  private static final Duration ROUND = Duration.ofSeconds(2);
  private static final long PAUSE_NANOS = 50_000;
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private RedisLatency() {}

  /**
   * Measures and prints Markdown: in less than three minutes for each argument.
   *
   * @param args {@code many}, {@code hot} or both: requests for 10,000 keys at random, or for one
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    for (String arg : args.length == 0 ? new String[] {"many", "hot"} : args) {
      int keys =
          switch (arg) {
            case "many" -> 10_000;
            case "hot" -> 1;
            default -> throw new IllegalArgumentException(arg + ", must be many or hot");
          };
      for (String peer : List.of(RedisSubject.REDISSON, RedisSubject.BUCKET4J)) {
        // A server of its own: what one comparison left would weigh on the next.
        try (LocalRedis redis = new LocalRedis()) {
          RedissonClient redisson = LocalRedis.client(redis.uri);
          try {
            compare(redisson, keys, peer);
          } finally {
            redisson.shutdown();
          }
        }
      }
    }
  }

  private static void compare(RedissonClient redisson, int keys, String peer)
      throws ExecutionException, InterruptedException {
    ClosedLoop loop = ClosedLoop.over(keys, IN_FLIGHT, true);
    List<RedisSubject> subjects = new ArrayList<>();
    subjects.add(RedisSubject.floor(redisson, "latency"));
    for (String algorithm : RedisSubject.ALGORITHMS) {
      subjects.add(RedisSubject.weir(redisson, "latency", algorithm, QUOTA));
    }
    subjects.add(
        peer.equals(RedisSubject.REDISSON)
            ? RedisSubject.redisson(redisson, "latency", QUOTA)
            : RedisSubject.bucket4j(redisson, "latency", QUOTA));
    subjects.forEach(subject -> subject.prepare().accept(loop.keys()));

    Map<RedisSubject, Double> saturation = saturation(loop, subjects);
    double slowest = saturation.values().stream().mapToDouble(rate -> rate).min().orElseThrow();
    OpenLoop arrivals = new OpenLoop(loop.keys(), slowest / 2);
    Map<String, List<Latency>> latencies = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      for (RedisSubject subject : subjects) {
        Latency latency = arrivals.run(subject);
        if (round >= 0) {
          latencies.computeIfAbsent(subject.name(), s -> new ArrayList<>()).add(latency);
        }
      }
    }
    print(keys, arrivals.rate, peer, saturation, latencies);
  }

  private static Map<RedisSubject, Double> saturation(ClosedLoop loop, List<RedisSubject> subjects)
      throws ExecutionException, InterruptedException {
    Map<RedisSubject, List<Double>> rates = new LinkedHashMap<>();
    for (int i = 0; i < LOOPS; i++) {
      for (RedisSubject subject : subjects) {
        rates.computeIfAbsent(subject, s -> new ArrayList<>()).add(loop.rate(subject, LOOP));
      }
    }
    Map<RedisSubject, Double> saturation = new LinkedHashMap<>();
    rates.forEach(
        (subject, each) ->
            saturation.put(
                subject,
                each.subList(LOOPS / 2, LOOPS).stream()
                    .mapToDouble(rate -> rate)
                    .average()
                    .orElseThrow()));
    return saturation;
  }

  /** Requests that arrive one by one, each after the same time, for keys at random. */
  private record OpenLoop(List<String> keys, double rate) {

    Latency run(RedisSubject subject) throws InterruptedException {
      int requests = (int) (rate * ROUND.toNanos() / 1e9);
      double interval = 1e9 / rate;
      ConcurrentHistogram nanos = new ConcurrentHistogram(LONGEST_NANOS, 3);
      LongAdder failures = new LongAdder();
      CountDownLatch answers = new CountDownLatch(requests);
      SplittableRandom random = new SplittableRandom(1);
      long start = System.nanoTime();
      for (int i = 0; i < requests; i++) {
        long due = start + (long) (i * interval);
        // Not a spin: the two cores are the server's and the client's.
        while (System.nanoTime() - due < 0) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        subject
            .async()
            .apply(keys.get(random.nextInt(keys.size())))
            .whenComplete(
                (decision, failure) -> {
                  nanos.recordValue(Math.min(System.nanoTime() - due, LONGEST_NANOS));
                  if (failure != null) {
                    failures.increment();
                  }
                  answers.countDown();
                });
      }
      answers.await();
      return new Latency(nanos, failures.sum());
    }
  }

  /** What one round took. */
  private record Latency(Histogram nanos, long failures) {

    double micros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }
  }

  private static void print(
      int keys,
      double rate,
      String peer,
      Map<RedisSubject, Double> saturation,
      Map<String, List<Latency>> latencies) {
    System.out.printf(
        Locale.ROOT,
        "%n%s, against %s: %,.0f requests a second%n%n",
        keys == 1 ? "One hot key" : String.format(Locale.ROOT, "%,d keys", keys),
        peer,
        rate);
    System.out.println(
        "| | saturated, decisions/s | p50, µs | p99, µs | p99.9, µs | failed | p99 of the peer's, lowest to highest |\n"
            + "|---|---|---|---|---|---|---|");
    saturation.forEach(
        (subject, saturated) -> {
          List<Latency> rounds = latencies.get(subject.name());
          System.out.printf(
              Locale.ROOT,
              "| %s | %,.0f | %,.0f | %,.0f | %,.0f | %,d | %s |%n",
              subject.name(),
              saturated,
              median(rounds, round -> round.micros(50)),
              median(rounds, round -> round.micros(99)),
              median(rounds, round -> round.micros(99.9)),
              rounds.stream().mapToLong(Latency::failures).sum(),
              subject.name().equals(peer) ? "1" : ratio(rounds, latencies.get(peer)));
        });
  }

  private static String ratio(List<Latency> rounds, List<Latency> others) {
    double[] perRound = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      perRound[i] = rounds.get(i).micros(99) / others.get(i).micros(99);
    }
    return Spread.of(perRound).text("%.2f");
  }

  private static double median(List<Latency> rounds, ToDoubleFunction<Latency> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure).toArray()).median();
  }
}
