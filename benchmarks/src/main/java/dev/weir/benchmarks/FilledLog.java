package dev.weir.benchmarks;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.slidingwindow.RedisSlidingWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/** Sliding window logs on Redis, with as many entries as wanted. */
record FilledLog(RedissonClient redisson) {

  static final Duration WINDOW = Duration.ofHours(1);

  /** Above what any log is filled with here. */
  static final long PLENTY = 10_000_000;

  private static final RedisOptions OPTIONS = RedisOptions.defaults().withNamespace("log");

  /** Returns a limiter of these logs that reads the server's clock. */
  RateLimiter limiter(long limit) {
    return RedisSlidingWindow.create(redisson, SlidingWindowPolicy.of(limit, WINDOW), OPTIONS);
  }

  /**
   * Makes a log of so many entries, as limiters do whose clock goes on with each request. Requests
   * that are under way together may share an entry; so the first 10,000 are made alone, and beyond
   * those there may be a few per cent too many.
   *
   * @return the permits in it
   */
  long fill(String name, long entries) throws ExecutionException, InterruptedException {
    RateLimiter limiter =
        RedisSlidingWindow.create(
            redisson,
            SlidingWindowPolicy.of(PLENTY, WINDOW),
            OPTIONS.withClock(ticking(Instant.now().minus(WINDOW.dividedBy(2)))));
    for (long i = Math.min(entries, 10_000); i > 0; i--) {
      limiter.tryAcquire(name);
    }
    ClosedLoop loop = new ClosedLoop(List.of(name), 256, true);
    while (number("ZCARD", "KEYS[1]", key(name)) < entries) {
      loop.rate(RedisSubject.of(name, limiter), Duration.ofMillis(20));
    }
    return PLENTY - limiter(PLENTY).peek(name).remaining();
  }

  /** Returns a clock that goes on by a microsecond each time that it is read. */
  static InstantSource ticking(Instant start) {
    AtomicLong ticks = new AtomicLong();
    return () -> start.plus(ticks.incrementAndGet(), ChronoUnit.MICROS);
  }

  /** Returns the memory that a log takes. */
  long bytes(String name) {
    return bytesOf(key(name));
  }

  /** Returns the memory that a key of the server takes. */
  long bytesOf(String key) {
    return number("MEMORY", "'USAGE', KEYS[1], 'SAMPLES', 0", key);
  }

  private static String key(String name) {
    return "weir1:sw:log:" + name;
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
