package dev.weir.benchmarks;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.slidingwindow.RedisSlidingWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.codec.StringCodec;

/**
 * What a sliding window log costs the server: time for a decision on a long log against a short
 * one, and memory for each permit in it.
 */
public final class SlidingLogRatios {

  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int SHORT = 100;
  private static final int LONG = 1_000_000;
  private static final int ROUNDS = 15;
  private static final int CALLS = 100;

  private final RedissonClient redisson;

  private SlidingLogRatios(RedissonClient redisson) {
    this.redisson = redisson;
  }

  /**
   * Measures both and prints Markdown.
   *
   * @param args none
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    System.out.println(Ratio.HEAD);
    measure().forEach(ratio -> System.out.println(ratio.row()));
  }

  /**
   * Measures both, in half a minute.
   *
   * @return a row for each target
   * @throws Exception if something cannot be measured
   */
  static List<Ratio> measure() throws Exception {
    try (LocalRedis redis = new LocalRedis()) {
      RedissonClient redisson = LocalRedis.client(redis.uri);
      try {
        SlidingLogRatios log = new SlidingLogRatios(redisson);
        List<Ratio> ratios = new ArrayList<>();
        ratios.add(log.bytesPerPermit(SHORT, 15));
        ratios.add(log.bytesPerPermit(10_000, 106));
        log.fill("long", LONG);
        ratios.add(log.time("admitted", 10L * LONG, 10L * LONG));
        long taken = 10L * LONG - log.limiter(10L * LONG).peek("long").remaining();
        ratios.add(log.time("denied", SHORT, taken));
        return ratios;
      } finally {
        redisson.shutdown();
      }
    }
  }

  private Ratio bytesPerPermit(int permits, double target) {
    String name = "weighed " + permits;
    RateLimiter limiter = limiter(10L * LONG);
    RRateLimiter peer = redisson.getRateLimiter(name);
    peer.trySetRate(RateType.OVERALL, 10L * LONG, WINDOW);
    for (int i = 0; i < permits; i++) {
      // Each alone and answered, so each in its own microsecond.
      limiter.tryAcquire(name);
      peer.tryAcquire();
    }
    double ours = bytes(key(name)) / (double) permits;
    double theirs = bytes("{" + name + "}:permits") / (double) permits;
    return Ratio.of(
        String.format(
            Locale.ROOT,
            "Redis, sliding window log of %,d permits: bytes for each (RRateLimiter: %.0f)",
            permits,
            theirs),
        target,
        false,
        ours);
  }

  /** Compares the times that the server takes for a decision on a short and on a long log. */
  private Ratio time(String what, long shortLimit, long longLimit) {
    RateLimiter onShort = limiter(shortLimit);
    RateLimiter onLong = limiter(longLimit);
    double[] ratios = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      String name = "short " + what + round;
      for (int i = 0; i < SHORT; i++) {
        onShort.tryAcquire(name);
      }
      double shortMicros = micros(onShort, name);
      ratios[round] = micros(onLong, "long") / shortMicros;
    }
    return Ratio.of(
        "Redis, sliding window log, one permit %s: server time with %,d live entries against %d"
            .formatted(what, LONG, SHORT),
        1.5,
        false,
        ratios);
  }

  /** Returns how long the server took for a decision, in the mean of some calls. */
  private double micros(RateLimiter limiter, String name) {
    double[] before = scriptCalls();
    for (int i = 0; i < CALLS; i++) {
      limiter.tryAcquire(name);
    }
    double[] after = scriptCalls();
    return (after[1] - before[1]) / (after[0] - before[0]);
  }

  /** Returns how many scripts the server has run, and how many microseconds it took. */
  private double[] scriptCalls() {
    String stats =
        redisson
            .getRedisNodes(RedisNodes.SINGLE)
            .getInstance()
            .info(InfoSection.COMMANDSTATS)
            .get("cmdstat_evalsha");
    String[] fields = stats.split("[=,]");
    return new double[] {Double.parseDouble(fields[1]), Double.parseDouble(fields[3])};
  }

  /** Makes a log of so many entries, as limiters do whose clock goes on with each request. */
  private void fill(String name, int entries) throws ExecutionException, InterruptedException {
    Instant start = Instant.now().minus(WINDOW.dividedBy(2));
    AtomicLong ticks = new AtomicLong();
    RateLimiter limiter =
        RedisSlidingWindow.create(
            redisson,
            SlidingWindowPolicy.of(10L * LONG, WINDOW),
            options().withClock(() -> start.plus(ticks.incrementAndGet(), ChronoUnit.MICROS)));
    ClosedLoop loop = new ClosedLoop(List.of(name), 256, true);
    // Requests that were under way together may share an entry.
    while (number("ZCARD", "KEYS[1]", key(name)) < entries) {
      loop.rate(RedisSubject.of(name, limiter), Duration.ofMillis(200));
    }
  }

  private RateLimiter limiter(long limit) {
    return RedisSlidingWindow.create(redisson, SlidingWindowPolicy.of(limit, WINDOW), options());
  }

  private static RedisOptions options() {
    return RedisOptions.defaults().withNamespace("log");
  }

  private static String key(String name) {
    return "weir1:sw:log:" + name;
  }

  private long bytes(String key) {
    return number("MEMORY", "'USAGE', KEYS[1], 'SAMPLES', 0", key);
  }

  private long number(String command, String arguments, String key) {
    return redisson
        .getScript(StringCodec.INSTANCE)
        .eval(
            RScript.Mode.READ_ONLY,
            "return redis.call('" + command + "', " + arguments + ")",
            RScript.ReturnType.LONG,
            List.of(key));
  }
}
