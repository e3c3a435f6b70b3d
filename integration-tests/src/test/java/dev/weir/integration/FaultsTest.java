package dev.weir.integration;

import static dev.weir.integration.Topology.info;
import static dev.weir.integration.Topology.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FallbackRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.memory.InMemoryShare;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One server, each time another fault, and what callers see of it. */
class FaultsTest {

  private static final String KEY = Load.SECRET + "key";

  private final RedisOptions options = Algorithm.patient().withTimeout(Duration.ofSeconds(3));
  private RedisProcess server;
  private RedissonClient redisson;

  private void start(String... settings) {
    server = RedisProcess.start(settings);
    redisson = TestRedis.newClient(server.uri());
  }

  private RateLimiter limiter(Algorithm algorithm, long limit) {
    return algorithm.create(redisson, limit, Duration.ofDays(366), options);
  }

  @AfterEach
  void stop() {
    redisson.shutdown(0, 1, TimeUnit.SECONDS);
    server.close();
    assertThat(LogRecorder.leaks()).as("keys and passwords in logs").isEmpty();
  }

  @Test
  void aScriptFlushUnderLoadReachesNoCaller() {
    start();
    try (Load load = Load.start(redisson, options.withTimeout(Duration.ofSeconds(20)))) {
      for (int i = 0; i < 10; i++) {
        load.awaitAdmitted(100);
        server.call("SCRIPT", "FLUSH");
      }
      load.awaitAdmitted(100);
      Load.Audit audit = load.stop();

      assertThat(info(server, "errorstats", "errorstat_NOSCRIPT")).startsWith("count=");
      assertThat(audit.failed()).as("failed: %s", audit).isZero();
      assertThat(audit.forgotten()).as("forgotten").isZero();
      assertThat(audit.chargedTwice()).as("charged twice").isZero();
      Measured.say("10 SCRIPT FLUSH: %s", audit);
    }
  }

  @Test
  void cutConnectionsUnderLoadLoseNoChargeAndNewOnesAreMade() {
    start();
    try (Load load = Load.start(redisson)) {
      for (int i = 0; i < 10; i++) {
        load.awaitAdmitted(100);
        server.call("CLIENT", "KILL", "TYPE", "normal");
      }
      load.awaitAdmitted(500);
      Load.Audit audit = load.stop();

      assertThat(audit.forgotten()).as("forgotten").isZero();
      assertThat(audit.chargedTwice()).as("charged twice").isZero();
      Measured.say("10 CLIENT KILL: %s", audit);
    }
  }

  @Test
  void aRestartUnderLoadChargesOnceOrNotAtAllAndIsOverByItself(@TempDir Path directory) {
    start("--appendonly", "yes", "--appendfsync", "no", "--dir", directory.toString());
    try (Load load = Load.start(redisson)) {
      load.awaitAdmitted(500);
      server.kill();
      load.awaitFailed(20);
      server.restart();
      long restarted = System.nanoTime();
      load.awaitAdmitted(500);
      Load.Audit audit = load.stop();

      assertThat(audit.forgotten()).as("forgotten").isZero();
      assertThat(audit.chargedTwice()).as("charged twice").isZero();
      Measured.say(
          "restart: last failure %d ms after it; %s",
          audit.failingSince(restarted).toMillis(), audit);
    }
  }

  /** A server that refuses writes admits nothing, loudly, and goes on where it was. */
  @ParameterizedTest
  @ValueSource(strings = {"READONLY", "NOREPLICAS", "MISCONF"})
  void aServerThatRefusesWritesAdmitsNothing(String code, @TempDir Path parent) throws IOException {
    Path directory = Files.createDirectory(parent.resolve("data"));
    start("--dir", directory.toString());
    List<RateLimiter> limiters = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      RateLimiter limiter = limiter(algorithm, 10);
      assertThat(limiter.tryAcquire(KEY, 3).remaining()).isEqualTo(7);
      limiters.add(limiter);
    }
    refuseWrites(code, directory);

    for (RateLimiter limiter : limiters) {
      assertThatThrownBy(() -> limiter.tryAcquire(KEY))
          .isInstanceOf(RateLimiterUnavailableException.class)
          .hasMessageEndingWith(": " + code)
          .satisfies(failure -> assertThat(LogRecorder.text(failure)).doesNotContain(KEY));
      assertThat(limiter.tryAcquire(KEY, 8).allowed()).as("what needs no write").isFalse();
      assertThat(limiter.peek(KEY, 7).allowed()).as("what needs no write").isTrue();
    }
    server.call("REPLICAOF", "NO", "ONE");
    server.call("CONFIG", "SET", "min-replicas-to-write", "0");
    server.call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
    for (RateLimiter limiter : limiters) {
      until("writes go again", () -> limiter.tryAcquire(KEY).remaining() == 6);
    }
  }

  private void refuseWrites(String code, Path directory) throws IOException {
    switch (code) {
      case "READONLY":
        server.call("REPLICAOF", "127.0.0.1", String.valueOf(RedisProcess.freePort()));
        break;
      case "NOREPLICAS":
        server.call("CONFIG", "SET", "min-replicas-to-write", "1");
        break;
      default:
        server.call("CONFIG", "SET", "save", "3600 1");
        Files.delete(directory);
        server.call("BGSAVE");
        until(
            "the server could not save",
            () -> info(server, "persistence", "rdb_last_bgsave_status").equals("err"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerBusyWithSomebodysScriptIsUnavailable(Algorithm algorithm) {
    start("--busy-reply-threshold", "50");
    RateLimiter limiter = limiter(algorithm, 10);
    assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(9);
    CompletableFuture<Void> script =
        CompletableFuture.runAsync(
            () ->
                assertThatThrownBy(() -> server.call("EVAL", "while true do end", "0"))
                    .hasMessageContaining("Script killed"));

    until("the server says so", () -> unavailable(limiter).getMessage().endsWith(": BUSY"));
    server.call("SCRIPT", "KILL");
    script.join();
    until("calls go again", () -> limiter.peek(KEY, 1).allowed());
    assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(8);
  }

  @Test
  void aChangedPasswordIsUnavailableUntilTheClientsIsRightAgain() {
    String password = Load.SECRET + "password";
    server = RedisProcess.start("--requirepass", password);
    Config config = new Config().setPassword(password);
    config.useSingleServer().setAddress(server.uri().toString()).setConnectionMinimumIdleSize(1);
    redisson = Redisson.create(config);
    RateLimiter limiter = limiter(Algorithm.SLIDING_WINDOW, 10);
    assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(9);
    try (RespClient admin = new RespClient(server.uri("", password))) {
      admin.call("CONFIG", "SET", "requirepass", "another");
      admin.call("CLIENT", "KILL", "TYPE", "normal");
      until("calls fail", () -> unavailable(limiter) != null);
      assertThat(LogRecorder.text(unavailable(limiter))).doesNotContain(Load.SECRET);

      admin.call("CONFIG", "SET", "requirepass", password);
      until("calls go again", () -> limiter.peek(KEY, 1).allowed());
      assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(8);
    }
  }

  @Test
  void aServerThatWantsAPasswordTheClientHasNotIsUnavailable() {
    start();
    RateLimiter limiter = limiter(Algorithm.TOKEN_BUCKET, 10);
    assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(9);
    try (RespClient admin = new RespClient(server.uri())) {
      admin.call("CONFIG", "SET", "requirepass", "another");
      admin.call("CLIENT", "KILL", "TYPE", "normal");
      until("the server says so", () -> unavailable(limiter).getMessage().endsWith(": NOAUTH"));

      admin.call("CONFIG", "SET", "requirepass", "");
      until("calls go again", () -> limiter.tryAcquire(KEY).remaining() == 8);
    }
  }

  /** Redisson then connects on the thread of the first call, and by default tries for seconds. */
  @Test
  void aClientThatConnectsAtItsFirstCallHoldsNoCallerUp() {
    server = RedisProcess.start();
    server.kill();
    Config config = new Config().setLazyInitialization(true);
    config.useSingleServer().setAddress(server.uri().toString()).setConnectionMinimumIdleSize(1);
    redisson = Redisson.create(config);
    RateLimiter limiter =
        Algorithm.SLIDING_WINDOW.create(
            redisson, 10, Duration.ofDays(1), options.withTimeout(Duration.ofMillis(50)));
    long start = System.nanoTime();
    CompletableFuture<Decision> decision = limiter.tryAcquireAsync(KEY).toCompletableFuture();
    assertThat(decision).isNotDone();
    assertThat(unavailable(limiter)).hasMessageContaining("within 50 ms");
    assertThatThrownBy(() -> limiter.peek(KEY)).hasMessageContaining("within 50 ms");
    assertThatThrownBy(() -> limiter.reset(KEY)).hasMessageContaining("within 50 ms");
    assertThatThrownBy(decision::join).hasMessageContaining("within 50 ms");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));

    server.restart();
    until("there is a server", () -> limiter.peek(KEY).allowed());
    assertThat(limiter.tryAcquire(KEY).remaining()).as("who gave up was not charged").isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void anEvictedKeyIsAsNewAndNothingFails(Algorithm algorithm) {
    start("--maxmemory", "8mb", "--maxmemory-policy", "allkeys-random");
    RateLimiter limiter = limiter(algorithm, 2);
    assertThat(limiter.tryAcquire(KEY, 2).allowed()).isTrue();
    String name = algorithm.name(options.namespace(), KEY);
    String filling = "x".repeat(10_000);
    try (RespClient redis = new RespClient(server.uri())) {
      for (int i = 0; redis.number("EXISTS", name) == 1; i++) {
        assertThat(i).as("values written before the key was evicted").isLessThan(1_000_000);
        redis.call("SET", "other" + i, filling);
      }
      assertThat(limiter.tryAcquire(KEY, 2).allowed()).as("as new").isTrue();
      assertThat(redis.number("PTTL", name)).isPositive();
    }
  }

  @Test
  void ofFiftyThousandCallersBehindAStalledServerFortyThousandFailAtOnce() {
    start();
    RateLimiter limiter =
        Algorithm.TOKEN_BUCKET.create(
            redisson, 1_000_000, Duration.ofDays(366), options.withTimeout(Duration.ofMinutes(1)));
    assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(999_999);
    server.freeze();
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      calls.add(limiter.tryAcquireAsync(i % 2 == 0 ? KEY : KEY + i).toCompletableFuture());
    }

    List<CompletableFuture<Decision>> refused =
        calls.stream().filter(CompletableFuture::isCompletedExceptionally).toList();
    assertThat(refused).hasSize(50_000 - 10_000);
    assertThat(refused)
        .allSatisfy(
            call ->
                assertThatThrownBy(call::join)
                    .hasCauseInstanceOf(RateLimiterUnavailableException.class)
                    .hasMessageContaining("RedisOptions.maxWaiting allows, 10000,"));
    assertThat(unavailable(limiter)).hasMessageContaining("maxWaiting");
    server.thaw();
    calls.removeAll(refused);
    assertThat(calls).allSatisfy(call -> assertThat(call.join().allowed()).isTrue());
    assertThat(limiter.peek(KEY).remaining())
        .as("1 before, 5,000 waited, 1 peeked at")
        .isEqualTo(1_000_000 - 5_002);
  }

  /** In the median: a busy machine may stop a call at any time. */
  @Test
  void anOutageBehindABreakerCostsUnderAMillisecondACallOnceItIsNoticed() {
    start();
    RateLimiter primary =
        Algorithm.SLIDING_WINDOW.create(
            redisson, 100, Duration.ofDays(1), options.withTimeout(Duration.ofMillis(100)));
    FallbackRateLimiter limiter =
        FallbackRateLimiter.builder(primary, InMemoryShare.of(primary.policy(), 4))
            .probeInterval(Duration.ofMillis(200))
            .build();
    assertThat(limiter.tryAcquire(KEY).limit()).isEqualTo(100);
    server.freeze();
    until("the outage is noticed", () -> limiter.tryAcquire(KEY) != null && limiter.isOpen());

    long[] nanos = new long[2_001];
    for (int i = 0; i < nanos.length; i++) {
      long begun = System.nanoTime();
      assertThat(limiter.tryAcquire(KEY + i).limit()).as("the share").isEqualTo(25);
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    Measured.say(
        "a call while the breaker is open: median %.1f us, 99 %% below %.1f us",
        nanos[1_000] / 1e3, nanos[1_980] / 1e3);
    assertThat(Duration.ofNanos(nanos[1_000])).isLessThan(Duration.ofMillis(1));

    server.thaw();
    until(
        "the store decides again", () -> limiter.tryAcquire(KEY + 0) != null && !limiter.isOpen());
    assertThat(limiter.tryAcquire(KEY + 0).limit()).isEqualTo(100);
  }

  private static RateLimiterUnavailableException unavailable(RateLimiter limiter) {
    try {
      limiter.tryAcquire(KEY);
      return null;
    } catch (RateLimiterUnavailableException e) {
      return e;
    }
  }
}
