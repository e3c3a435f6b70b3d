package dev.weir.benchmarks;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;
import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.memory.InMemoryStore;
import dev.weir.redis.RedisOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.redisson.api.RedissonClient;

/**
 * How the cost of a decision grows with the keys, the limit, the permits of a request and the
 * callers.
 *
 * <p>Costs on Redis are the server's own, of calls that are made one after the other. All points of
 * a picture are measured in turns, several times over, so that what disturbs the machine for a
 * while meets each of them; a figure is the median.
 */
public final class GrowthCurves {

  private static final int ROUNDS = 7;
  private static final Duration TURN = Duration.ofMillis(200);
  private static final Duration WINDOW = Duration.ofHours(12);
  private static final long PLENTY = 1_000_000_000_000L;
  private static final String KEY = "key0";
  private static final String IN_MEMORY = ", in memory";
  private static final String HOT = ", one key";

  private final RedissonClient redisson;
  private final ScriptTime scriptTime;
  private final Map<String, List<Point>> curves = new LinkedHashMap<>();

  private GrowthCurves(RedissonClient redisson) {
    this.redisson = redisson;
    scriptTime = new ScriptTime(redisson);
  }

  /** What grows. */
  private enum Growth {
    KEYS("keys", "µs a decision", powersOfTen(3, 6)) {
      @Override
      void addCurves(GrowthCurves to) {
        to.addKeys(xs);
      }
    },
    LIMIT("limit, all taken", "µs a denial", powersOfTen(1, 6)) {
      @Override
      void addCurves(GrowthCurves to) throws Exception {
        to.addLimits(xs);
      }
    },
    PERMITS("permits of a request", "µs a decision", powersOfTen(0, 6)) {
      @Override
      void addCurves(GrowthCurves to) {
        to.addPermits(xs);
      }
    },
    CALLERS("async calls in flight", "decisions/s", new long[] {1, 4, 16, 64, 256}) {
      @Override
      void addCurves(GrowthCurves to) {
        to.addCallers(xs);
      }
    };

    final long[] xs;

    private final String across;
    private final String up;

    Growth(String across, String up, long[] xs) {
      this.across = across;
      this.up = up;
      this.xs = xs;
    }

    private static long[] powersOfTen(int first, int last) {
      return LongStream.rangeClosed(first, last).map(n -> (long) Math.pow(10, n)).toArray();
    }

    /** Adds a point for each x to each curve. */
    abstract void addCurves(GrowthCurves to) throws Exception;
  }

  /** Measures one point of a curve once. */
  @FunctionalInterface
  private interface Point {
    double measure() throws Exception;
  }

  /**
   * Measures, prints Markdown, and writes a picture for each growth.
   *
   * @param args the folder of the pictures, then what grows: {@code KEYS}, {@code LIMIT}, {@code
   *     PERMITS}, {@code CALLERS}; each of them if none is named
   * @throws IllegalArgumentException if there is no argument, or what grows has another name
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      throw new IllegalArgumentException("no argument, must have at least the folder of pictures");
    }
    List<Growth> named =
        Arrays.stream(args, 1, args.length).map(Growth::valueOf).collect(Collectors.toList());
    for (Growth growth : named.isEmpty() ? List.of(Growth.values()) : named) {
      draw(growth, Path.of(args[0]));
    }
  }

  private static void draw(Growth growth, Path folder) throws Exception {
    try (LocalRedis redis = new LocalRedis()) {
      RedissonClient redisson = LocalRedis.client(redis.uri);
      try {
        GrowthCurves growing = new GrowthCurves(redisson);
        growth.addCurves(growing);
        Map<String, double[]> medians = growing.medians(growth.xs.length);
        print(growth, medians);
        LineChart chart =
            new LineChart(
                growth.up + " over " + growth.across,
                growth.across,
                LongStream.of(growth.xs).asDoubleStream().toArray());
        medians.forEach(chart::add);
        String file = "growth-" + growth.name().toLowerCase(Locale.ROOT) + ".svg";
        chart.write(folder.resolve(file));
      } finally {
        redisson.shutdown();
      }
    }
  }

  /** Keys at random, all of which have a state. */
  private void addKeys(long[] counts) {
    Quota quota = Quota.of(1_000_000, WINDOW);
    for (long count : counts) {
      List<String> keys = ClosedLoop.over((int) count, 1, false).keys();
      for (String algorithm : RedisSubject.ALGORITHMS) {
        RedisSubject subject =
            RedisSubject.of(algorithm, onRedis(algorithm, "keys" + count, quota));
        for (int from = 0; from < keys.size(); from += 1_000) {
          CompletableFuture.allOf(
                  keys.subList(from, from + 1_000).stream()
                      .map(key -> subject.async().apply(key).toCompletableFuture())
                      .toArray(CompletableFuture[]::new))
              .join();
        }
        addServerTime(subject, keys);
        RateLimiter inMemory = MemorySubject.limiter(algorithm, quota);
        keys.forEach(inMemory::tryAcquire);
        addThreadTime(algorithm, inMemory, keys, 1);
      }
      addServerTime(RedisSubject.floor(redisson, "keys"), keys);
    }
  }

  /** One key whose limit is taken, as far as can be by requests of one permit. */
  private void addLimits(long[] limits) throws Exception {
    FilledLog logs = new FilledLog(redisson);
    for (long limit : limits) {
      Quota quota = Quota.of(limit, WINDOW);
      for (String algorithm : RedisSubject.ALGORITHMS) {
        if (algorithm.equals("sliding-window")) {
          String key = "key" + limit;
          long taken = logs.fill(key, limit);
          addServerTime(RedisSubject.of(algorithm, logs.limiter(taken)), List.of(key));
          addThreadTime(algorithm, fullLog(limit), List.of(KEY), 1);
        } else {
          RateLimiter onRedis = onRedis(algorithm, "limit" + limit, quota);
          onRedis.tryAcquire(KEY, limit);
          addServerTime(RedisSubject.of(algorithm, onRedis), List.of(KEY));
          RateLimiter inMemory = MemorySubject.limiter(algorithm, quota);
          inMemory.tryAcquire(KEY, limit);
          addThreadTime(algorithm, inMemory, List.of(KEY), 1);
        }
      }
      addServerTime(RedisSubject.floor(redisson, "limit"), List.of(KEY));
    }
  }

  /** Returns a limiter in memory whose log has as many entries as the limit has permits. */
  private static RateLimiter fullLog(long limit) {
    SlidingWindowPolicy policy = SlidingWindowPolicy.of(limit, WINDOW);
    InMemoryOptions options = InMemoryOptions.defaults().withStore(InMemoryStore.create());
    RateLimiter filling =
        InMemorySlidingWindow.create(
            policy, options.withClock(FilledLog.ticking(Instant.now().minus(WINDOW.dividedBy(2)))));
    for (long i = 0; i < limit; i++) {
      filling.tryAcquire(KEY);
    }
    return InMemorySlidingWindow.create(policy, options);
  }

  /** Requests for many permits at once, for so many keys that all are admitted. */
  private void addPermits(long[] permits) {
    Quota quota = Quota.of(PLENTY, WINDOW);
    List<String> keys = ClosedLoop.over(1_000, 1, false).keys();
    for (long many : permits) {
      for (String algorithm : RedisSubject.ALGORITHMS) {
        RateLimiter onRedis = onRedis(algorithm, "permits" + many, quota);
        addServerTime(algorithm, keys, key -> onRedis.tryAcquire(key, many));
        addThreadTime(algorithm, MemorySubject.limiter(algorithm, quota), keys, many);
      }
      addServerTime(RedisSubject.floor(redisson, "permits"), keys);
    }
  }

  /** What callers get done who ask for keys at random, and those who all ask for one. */
  private void addCallers(long[] callers) {
    Quota quota = Quota.of(1_000, Duration.ofSeconds(1));
    List<RedisSubject> subjects = new ArrayList<>();
    for (String algorithm : RedisSubject.ALGORITHMS) {
      subjects.add(RedisSubject.weir(redisson, "callers", algorithm, quota));
    }
    subjects.add(RedisSubject.floor(redisson, "callers"));
    subjects.add(RedisSubject.redisson(redisson, "callers", quota));
    for (RedisSubject subject : subjects) {
      subject.prepare().accept(ClosedLoop.over(10_000, 1, true).keys());
      for (long many : callers) {
        ClosedLoop loop = ClosedLoop.over(10_000, (int) many, true);
        add(subject.name(), () -> loop.rate(subject, TURN));
        ClosedLoop hot = ClosedLoop.over(1, (int) many, true);
        add(subject.name() + HOT, () -> hot.rate(subject, TURN));
      }
    }
  }

  /** A limiter that waits through pauses of this JVM, whose heap holds millions of keys. */
  private RateLimiter onRedis(String algorithm, String namespace, Quota quota) {
    return RateLimiters.create(
        "redis",
        algorithm,
        quota,
        ProviderContext.of(namespace)
            .with(RedissonClient.class, redisson)
            .with(RedisOptions.class, RedisOptions.defaults().withTimeout(Duration.ofSeconds(10))));
  }

  private void add(String curve, Point point) {
    curves.computeIfAbsent(curve, name -> new ArrayList<>()).add(point);
  }

  private void addServerTime(RedisSubject subject, List<String> keys) {
    addServerTime(subject.name(), keys, subject.blocking());
  }

  private void addServerTime(String curve, List<String> keys, Consumer<String> call) {
    add(curve, () -> scriptTime.micros(() -> microsOfThread(keys, call)));
  }

  private void addThreadTime(
      String algorithm, RateLimiter limiter, List<String> keys, long permits) {
    add(algorithm + IN_MEMORY, () -> microsOfThread(keys, key -> limiter.tryAcquire(key, permits)));
  }

  /** Calls for keys at random for a while, and returns how long a call took. */
  private static double microsOfThread(List<String> keys, Consumer<String> call) {
    SplittableRandom random = new SplittableRandom();
    long start = System.nanoTime();
    long elapsed;
    long calls = 0;
    do {
      for (int i = 0; i < 100; i++) {
        call.accept(keys.get(random.nextInt(keys.size())));
      }
      calls += 100;
      elapsed = System.nanoTime() - start;
    } while (elapsed < TURN.toNanos());
    return elapsed / 1e3 / calls;
  }

  private Map<String, double[]> medians(int points) throws Exception {
    Map<String, double[][]> figures = new LinkedHashMap<>();
    curves.keySet().forEach(name -> figures.put(name, new double[points][ROUNDS]));
    for (int round = 0; round < ROUNDS; round++) {
      System.err.printf("round %d of %d%n", round + 1, ROUNDS);
      for (int point = 0; point < points; point++) {
        for (Map.Entry<String, List<Point>> curve : curves.entrySet()) {
          figures.get(curve.getKey())[point][round] = curve.getValue().get(point).measure();
        }
      }
    }
    Map<String, double[]> medians = new LinkedHashMap<>();
    figures.forEach(
        (name, all) ->
            medians.put(
                name, Arrays.stream(all).mapToDouble(one -> Spread.of(one).median()).toArray()));
    return medians;
  }

  private static void print(Growth growth, Map<String, double[]> medians) {
    System.out.printf("%n%s over %s%n%n", growth.up, growth.across);
    System.out.println(
        LongStream.of(growth.xs)
            .mapToObj(x -> String.format(Locale.ROOT, " %,d ", x))
            .collect(Collectors.joining("|", "| |", "|")));
    System.out.println("|---".repeat(growth.xs.length + 1) + "|");
    medians.forEach(
        (name, figures) ->
            System.out.println(
                Arrays.stream(figures)
                    .mapToObj(y -> String.format(Locale.ROOT, y < 10 ? " %.3g " : " %,.0f ", y))
                    .collect(Collectors.joining("|", "| " + name + " |", "|"))));
  }
}
