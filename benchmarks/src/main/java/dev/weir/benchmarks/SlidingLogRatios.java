package dev.weir.benchmarks;

import dev.weir.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/**
 * What a sliding window log costs the server: time for a decision on a long log against a short
 * one, and memory for each permit in it.
 */
public final class SlidingLogRatios {

  private static final int SHORT = 100;
  private static final int LONG = 1_000_000;
  private static final int ROUNDS = 15;
  private static final int CALLS = 100;

  private final RedissonClient redisson;
  private final FilledLog logs;
  private final ScriptTime scriptTime;

  private SlidingLogRatios(RedissonClient redisson) {
    this.redisson = redisson;
    logs = new FilledLog(redisson);
    scriptTime = new ScriptTime(redisson);
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
        log.logs.fill("long", LONG);
        ratios.add(log.time("admitted", FilledLog.PLENTY, FilledLog.PLENTY));
        long free = log.logs.limiter(FilledLog.PLENTY).peek("long").remaining();
        ratios.add(log.time("denied", SHORT, FilledLog.PLENTY - free));
        return ratios;
      } finally {
        redisson.shutdown();
      }
    }
  }

  private Ratio bytesPerPermit(int permits, double target) {
    String name = "weighed " + permits;
    RateLimiter limiter = logs.limiter(FilledLog.PLENTY);
    RRateLimiter peer = redisson.getRateLimiter(name);
    peer.trySetRate(RateType.OVERALL, FilledLog.PLENTY, FilledLog.WINDOW);
    for (int i = 0; i < permits; i++) {
      // Each alone and answered, so each in its own microsecond.
      limiter.tryAcquire(name);
      peer.tryAcquire();
    }
    double ours = logs.bytes(name) / (double) permits;
    double theirs = logs.bytesOf("{" + name + "}:permits") / (double) permits;
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
  private Ratio time(String what, long shortLimit, long longLimit) throws Exception {
    RateLimiter onShort = logs.limiter(shortLimit);
    RateLimiter onLong = logs.limiter(longLimit);
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

  private double micros(RateLimiter limiter, String name) throws Exception {
    return scriptTime.micros(
        () -> {
          for (int i = 0; i < CALLS; i++) {
            limiter.tryAcquire(name);
          }
          return null;
        });
  }
}
