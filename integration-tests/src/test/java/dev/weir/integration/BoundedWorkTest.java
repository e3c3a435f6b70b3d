package dev.weir.integration;

import static dev.weir.integration.Topology.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;

/** What a decision costs the server does not depend on how much was admitted before. */
class BoundedWorkTest {

  private static final Duration WINDOW = Duration.ofHours(1);
  private static final int SMALL = 100;
  private static final int LARGE = 100_000;
  private static final int HUGE = 1_000_000;
  private static final int CALLS = 100;
  private static final int ROUNDS = 15;

  private static final RedisOptions OPTIONS = Algorithm.patient();

  private static RedisProcess server;
  private static RespClient redis;
  private static RedissonClient redisson;

  @BeforeAll
  static void fill() {
    // The server notes how long each command took.
    server = RedisProcess.start("--slowlog-log-slower-than", "0", "--slowlog-max-len", "1000");
    redis = new RespClient(server.uri());
    redisson = TestRedis.newClient(server.uri());
    limiter(1).tryAcquire("loads the script");
    limiter(1).reset("loads the script");
    fill("small", SMALL, 0);
    fill("huge", HUGE, 0);
    fill("large", LARGE, 0);
    fill("half expired", LARGE, LARGE);
  }

  @AfterAll
  static void stop() {
    redisson.shutdown();
    redis.close();
    server.close();
  }

  /** Writes a log of so many live and expired entries of one permit, as limiters would have. */
  private static void fill(String key, int live, int expired) {
    String entries =
        """
        local first, last, start = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
        for i = first, last, 1000 do
          local entries = {}
          for j = i, math.min(i + 999, last) do
            entries[#entries + 1] = start + j
            entries[#entries + 1] = j
          end
          redis.call('ZADD', KEYS[1], unpack(entries))
        end
        """;
    List<?> time = (List<?>) redis.call("TIME");
    // One entry a microsecond: the expired ones up to a window ago, the live ones from half a
    // window ago.
    long now = Long.parseLong((String) time.get(0)) * 1_000_000;
    String name = name(key);
    redis.call("ZADD", name, "0", "0");
    long expiredUntil = now - micros(WINDOW) - expired;
    long liveFrom = now - micros(WINDOW) / 2;
    for (int first = 1; first <= live + expired; first += 50_000) {
      int last = Math.min(first + 49_999, live + expired);
      long start = first <= expired ? expiredUntil : liveFrom;
      redis.call(
          "EVAL",
          entries,
          "1",
          name,
          String.valueOf(first),
          String.valueOf(last),
          String.valueOf(start));
    }
    redis.call("PEXPIRE", name, String.valueOf(WINDOW.toMillis()));
  }

  @Test
  void aRequestForOnePermitRunsTheSameCommandsOnAMillionEntriesAsOnAHundred() {
    compare("admitted", HUGE * 10L, HUGE * 10L, 1, true, 9);
    compare("denied", SMALL, HUGE, 1, false, 9);
  }

  @Test
  void aWeightedDenialRunsALogarithmOfCommands() {
    RateLimiter limiter = limiter(HUGE);
    List<String> commands = commands(() -> limiter.tryAcquire("huge", HUGE / 3));

    assertThat(total(commands)).as("%s", commands).isLessThanOrEqualTo(9 + 20);
    assertThat(commands).noneMatch(command -> command.startsWith("zadd"));
  }

  @Test
  void aCallRemovesAtMost16OfAHundredThousandExpiredEntries() {
    RateLimiter limiter = limiter(HUGE);
    long before = redis.number("ZCARD", name("half expired"));
    assertThat(limiter.tryAcquire("half expired").allowed()).isTrue();

    assertThat(redis.number("ZCARD", name("half expired"))).isEqualTo(before + 1 - 16);
  }

  /** Redis removes an expired key by itself, at once or in a thread of its own as it is told. */
  @ParameterizedTest
  @ValueSource(strings = {"no", "yes"})
  void theExpiryOfALargeLogIsRedisOwnWorkAndMayBeLazy(String lazy) {
    redis.call("CONFIG", "SET", "lazyfree-lazy-expire", lazy);
    redis.call("CONFIG", "RESETSTAT");
    String name = name("expiring");
    redis.call("COPY", name("huge"), name);
    double before = mainThreadMillis();
    redis.call("PEXPIRE", name, "1");
    until("the log is gone", () -> redis.number("EXISTS", name) == 0);
    double took = mainThreadMillis() - before;

    until("its memory is free", () -> lazilyFreed() == (lazy.equals("yes") ? 1 : 0));
    assertThat(redis.info("stats", "expired_keys")).isEqualTo("1");
    Measured.say(
        "expiry of a log of %,d entries, lazyfree-lazy-expire %s: %.0f ms of the main thread (%s)",
        HUGE, lazy, took, redis.info("memory", "mem_allocator"));
  }

  @Test
  void resetFreesALargeLogLazily() {
    redis.call("CONFIG", "RESETSTAT");
    redis.call("COPY", name("large"), name("forgotten"));
    limiter(HUGE).reset("forgotten");

    until("its memory is free", () -> lazilyFreed() == 1);
    assertThat(redis.number("EXISTS", name("forgotten"))).isZero();
  }

  private static double mainThreadMillis() {
    return 1e3
        * Stream.of("used_cpu_sys_main_thread", "used_cpu_user_main_thread")
            .mapToDouble(name -> Double.parseDouble(String.valueOf(redis.info("cpu", name))))
            .sum();
  }

  private static void compare(
      String what, long smallLimit, long hugeLimit, long permits, boolean allowed, int most) {
    RateLimiter small = limiter(smallLimit);
    RateLimiter huge = limiter(hugeLimit);
    List<Long> smallMicros = new ArrayList<>();
    List<Long> hugeMicros = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<String> onSmall = round(small, "small", permits, allowed, SMALL, smallMicros);
      List<String> onHuge = round(huge, "huge", permits, allowed, HUGE, hugeMicros);

      assertThat(onHuge).isEqualTo(onSmall);
      assertThat(total(onHuge)).as("%s", onHuge).isLessThanOrEqualTo(most * CALLS);
    }
    long smallMedian = median(smallMicros);
    long hugeMedian = median(hugeMicros);
    Measured.say(
        "one permit %s, server time by SLOWLOG, median of %d: %d us on %,d live entries, %d us on"
            + " %,d, ratio %.2f",
        what,
        ROUNDS * CALLS,
        smallMedian,
        SMALL,
        hugeMedian,
        HUGE,
        (double) hugeMedian / smallMedian);
    // Both were measured in turns, so what else the machine did slowed both.
    assertThat(hugeMedian).isLessThanOrEqualTo(smallMedian * 3 / 2);
  }

  private static List<String> round(
      RateLimiter limiter, String key, long permits, boolean allowed, int size, List<Long> micros) {
    redis.call("SLOWLOG", "RESET");
    List<String> commands =
        commands(
            () -> {
              for (int i = 0; i < CALLS; i++) {
                assertThat(limiter.tryAcquire(key, permits).allowed()).isEqualTo(allowed);
              }
            });
    List<Long> taken =
        ((List<?>) redis.call("SLOWLOG", "GET", "1000"))
            .stream()
                .map(entry -> (List<?>) entry)
                .filter(entry -> ((List<?>) entry.get(3)).get(0).equals("EVALSHA"))
                .map(entry -> (Long) entry.get(2))
                .toList();
    assertThat(taken).hasSize(CALLS);
    micros.addAll(taken);
    redis.call("ZREMRANGEBYRANK", name(key), String.valueOf(size + 1), "-1");
    return commands;
  }

  /** The commands that the server ran while a limiter was at work, each with its number. */
  private static List<String> commands(Runnable work) {
    redis.call("CONFIG", "RESETSTAT");
    work.run();
    return redis.commands();
  }

  private static long total(List<String> commands) {
    return commands.stream()
        .mapToLong(command -> Long.parseLong(command.substring(command.indexOf(' ') + 1)))
        .sum();
  }

  private static long lazilyFreed() {
    return Long.parseLong(String.valueOf(redis.info("memory", "lazyfreed_objects")));
  }

  private static long median(List<Long> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  private static RateLimiter limiter(long limit) {
    return Algorithm.SLIDING_WINDOW.create(redisson, limit, WINDOW, OPTIONS);
  }

  private static String name(String key) {
    return Algorithm.SLIDING_WINDOW.name(OPTIONS.namespace(), key);
  }

  private static long micros(Duration duration) {
    return duration.toMillis() * 1_000;
  }
}
