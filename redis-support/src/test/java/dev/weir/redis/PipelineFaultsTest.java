package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.testing.FaultProxy;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/** What becomes of a pipeline when something breaks, on a server of the test's own. */
@Timeout(60)
class PipelineFaultsTest {

  private static final long LIMIT = 1_000;
  private static final long TOO_MANY = LIMIT + 1;

  /** The reply to the first request for a key. */
  private static final String ADMITTED = "*4\r\n:1\r\n:999\r\n:0\r\n:1\r\n";

  private static final RedisScript SCRIPT =
      RedisScript.read(PipelineFaultsTest.class.getResourceAsStream("/counter.lua"), "counter.lua");

  private final AtomicLong nanos = new AtomicLong();
  private RedisProcess server;
  private FaultProxy wire;
  private RedissonClient redisson;
  private RespClient redis;
  private Coalescer coalescer;

  @BeforeEach
  void start() {
    server = RedisProcess.start();
    wire = new FaultProxy(server.uri());
    redis = new RespClient(server.uri());
    connect(Duration.ofSeconds(20));
  }

  /** With one connection, so that what is sent later is decided later. */
  private void connect(Duration timeout) {
    if (redisson != null) {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }
    Config config = new Config();
    config.setNettyThreads(2);
    config.setThreads(2);
    config
        .useSingleServer()
        .setAddress(wire.uri().toString())
        .setConnectionPoolSize(1)
        .setConnectionMinimumIdleSize(1)
        .setReconnectionDelay(new ConstantDelay(Duration.ofMillis(10)))
        .setSubscriptionConnectionMinimumIdleSize(0);
    redisson = Redisson.create(config);
    redis.call("SCRIPT", "LOAD", SCRIPT.text());
    coalescer =
        new Coalescer(
            new ScriptCall(
                redisson, new Sender(redisson), timeout, SCRIPT, LIMIT, new long[] {LIMIT}),
            nanos::get);
  }

  @AfterEach
  void stop() {
    redisson.shutdown(0, 1, TimeUnit.SECONDS);
    redis.close();
    wire.close();
    server.close();
  }

  // Callers who give up

  @Test
  void aPipelineThatWaitsForAConnectionIsNotSentOnceItsCallersAreGone() {
    List<Request> sent = occupyTheConnection();
    List<Request> waiting = pipeline("a", "b", "a");

    waiting.forEach(PipelineFaultsTest::giveUp);
    wire.passReplies();

    assertThat(sent).allMatch(request -> request.join().allowed());
    assertThat(submit("later").join().allowed()).isTrue();
    assertThat(redis.call("MGET", "a", "b")).isEqualTo(nulls(2));
    awaitNoLine();
  }

  @Test
  void whoGivesUpWhileAPipelineWaitsForAConnectionIsNotSentWithTheOthers() {
    List<Request> sent = occupyTheConnection();
    List<Request> waiting = pipeline("a", "b", "c", "a", "d");

    waiting.get(0).cancel(false);
    waiting.get(1).cancel(false);
    giveUp(waiting.get(3));
    giveUp(waiting.get(4));
    wire.passReplies();

    assertThat(sent).allMatch(request -> request.join().allowed());
    assertThat(waiting.get(2).join().remaining()).isEqualTo(999);
    assertThat(redis.call("MGET", "a", "b", "d")).isEqualTo(nulls(3));
    awaitNoLine();
  }

  @Test
  void aPipelineWhoseCallersAreGoneIsChargedOnceIfItWasSent() {
    List<Request> sent = occupyTheConnection();

    sent.forEach(PipelineFaultsTest::giveUp);
    wire.passReplies();

    assertThat(submit("later").join().allowed()).isTrue();
    awaitNoLine();
    assertThat(redis.call("MGET", "x", "y", "z")).isEqualTo(List.of("1", "1", "1"));
  }

  // Replies that come in parts

  @Test
  void aReplyThatComesInTwoPartsIsReadWhereverItIsSplit() {
    redis.call("RPUSH", "foreign", "not a counter");
    long length = 0;
    for (int split = 0; split == 0 || split < length; split++) {
      String round = split + ":";
      int singles = takeOff(round);
      List<Request> pipeline =
          List.of(
              submit(round + "first"),
              submit("foreign"),
              submit(round + "denied", TOO_MANY),
              submit(round + "last"));
      long before = wire.passed();

      wire.holdRepliesAfter(singles + split);
      if (split > 0) {
        wire.awaitHeld(1);
        wire.passReplies();
      } else {
        wire.passReplies();
      }

      assertThat(pipeline.get(0).join().remaining()).as("split at %d", split).isEqualTo(999);
      assertThat(failure(pipeline.get(1))).hasMessageContaining("WRONGTYPE");
      assertThat(pipeline.get(2).join().allowed()).isFalse();
      assertThat(pipeline.get(3).join().remaining()).as("split at %d", split).isEqualTo(999);
      awaitNoLine();
      length = wire.passed() - before - singles;
    }
    assertThat(length).isGreaterThan(100);
  }

  // Errors of the server

  @ParameterizedTest
  @ValueSource(strings = {"OOM", "READONLY", "NOREPLICAS", "MISCONF"})
  void aServerThatRefusesWritesFailsTheCallsOfAPipelineThatWrite(String code) {
    submit("known").join();
    refuseWrites(code);
    Throwable alone = failure(submit("known"));
    takeOffDenied();
    Request known = submit("known");
    Request denied = submit("known2", TOO_MANY);
    Request unknown = submit("new");
    Request deniedToo = submit("known3", TOO_MANY);

    wire.passReplies();

    for (Request failing : List.of(known, unknown)) {
      assertThat(failure(failing))
          .isInstanceOf(RateLimiterUnavailableException.class)
          .hasMessage(alone.getMessage());
    }
    assertThat(denied.join().allowed()).isFalse();
    assertThat(deniedToo.join().allowed()).isFalse();
    awaitNoLine();
    acceptWrites();
    assertThat(submit("known").join().remaining()).isEqualTo(998);
    assertThat(submit("new").join().remaining()).isEqualTo(999);
  }

  /** Redisson has no end for a call that it would send again, such as one refused like this. */
  @Test
  void aServerThatRefusesWritesFailsTheCallsThatWriteWhereverTheReplyIsSplit() {
    refuseWrites("NOREPLICAS");
    Throwable alone = failure(submit("new"));
    long length = 2;
    for (int split = 1; split < length; split++) {
      int singles = takeOffDenied();
      List<Request> pipeline =
          List.of(submit("a", TOO_MANY), submit("b"), submit("c"), submit("d", TOO_MANY));
      long before = wire.passed();

      wire.holdRepliesAfter(singles + split);
      wire.awaitHeld(1);
      wire.passReplies();

      assertThat(failure(pipeline.get(1))).as("split at %d", split).hasMessage(alone.getMessage());
      assertThat(failure(pipeline.get(2))).as("split at %d", split).hasMessage(alone.getMessage());
      assertThat(pipeline.get(0).join().allowed()).isFalse();
      assertThat(pipeline.get(3).join().allowed()).isFalse();
      awaitNoLine();
      length = Math.max(length, wire.passed() - before - singles);
    }
    assertThat(length).isGreaterThan(100);
  }

  @Test
  void aForbiddenKeyFailsItsCallOfAPipelineAlone() {
    redis.call("ACL", "SETUSER", "default", "resetkeys", "~ok*");
    Throwable alone = failure(submit("forbidden"));
    takeOff("ok");
    Request before = submit("ok1");
    Request forbidden = submit("forbidden");
    Request after = submit("ok2");

    wire.passReplies();

    assertThat(failure(forbidden)).hasMessage(alone.getMessage()).hasMessageContaining("NOPERM");
    assertThat(before.join().remaining()).isEqualTo(999);
    assertThat(after.join().remaining()).isEqualTo(999);
    awaitNoLine();
  }

  @Test
  void aBusyServerFailsAPipelineAndTheLineGoesOn() {
    redis.call("CONFIG", "SET", "busy-reply-threshold", "10");
    takeOff("before");
    List<Request> waiting = List.of(submit("a"), submit("b"), submit("c"));
    CompletableFuture<Void> blocked =
        CompletableFuture.runAsync(() -> call("EVAL", "while true do end", "0"));
    while (!call("PING").startsWith("BUSY")) {
      Thread.onSpinWait();
    }

    wire.passReplies();

    assertThat(waiting)
        .allSatisfy(
            request ->
                assertThat(failure(request))
                    .isInstanceOf(RateLimiterUnavailableException.class)
                    .hasMessageEndingWith(": BUSY"));
    awaitNoLine();
    redis.call("SCRIPT", "KILL");
    blocked.join();
    assertThat(submit("a").join().remaining()).isEqualTo(999);
  }

  // Connections that end

  @Test
  void aConnectionThatEndsAmidRepliesFailsOrAnswersEachCallAndTheLineGoesOn() {
    connect(Duration.ofMillis(100));
    for (int cut = 1; cut < 4 * ADMITTED.length(); cut += 12) {
      String round = cut + ":";
      int singles = takeOff(round);
      List<Request> pipeline = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        pipeline.add(submit(round + i));
      }

      wire.holdRepliesAfter(singles + cut);
      wire.awaitHeld(1);
      wire.cutReplies();

      for (int i = 0; i < pipeline.size(); i++) {
        Throwable failure = failure(pipeline.get(i));
        if (failure == null) {
          assertThat(pipeline.get(i).join().remaining()).isEqualTo(999);
        } else {
          assertThat(failure).isInstanceOf(RateLimiterUnavailableException.class);
        }
        assertThat(redis.call("GET", round + i)).isIn(failure == null ? "1" : null, "1");
      }
      assertThat(failure(pipeline.get(3))).as("the last reply never comes whole").isNotNull();
      awaitNoLine();
      wire.passReplies();
      awaitAnswer(round + "again");
    }
  }

  @Test
  void asManyCallersMayWaitAsBeforeOnceCallersWereLostWithTheirPipelines() {
    int most = 20;
    Duration timeout = Duration.ofMillis(200);
    RedisRateLimiter limiter =
        new RedisRateLimiter(
            redisson,
            FixedWindowPolicy.of(LIMIT, Duration.ofDays(1)),
            RedisOptions.defaults().withTimeout(timeout).withMaxWaiting(most),
            "counter",
            SCRIPT,
            LIMIT) {};
    for (int round = 0; round < 5; round++) {
      wire.holdReplies();
      List<CompletableFuture<Decision>> lost = ask(limiter, round, most);
      wire.awaitHeld(1);
      wire.cutReplies();
      assertThat(lost)
          .allSatisfy(
              decision ->
                  assertThat(decision.handle((answer, failure) -> failure).join())
                      .isInstanceOf(RateLimiterUnavailableException.class));
      wire.passReplies();
      awaitAnswer("again");
    }

    for (CompletableFuture<Decision> decision : ask(limiter, 5, most)) {
      Throwable failure = decision.handle((answer, thrown) -> thrown).join();
      assertThat(failure == null ? "" : failure.getMessage()).doesNotContain("maxWaiting");
    }
    assertThat(IntStream.range(0, 6 * most).mapToObj(i -> redis.call("GET", limiterKey(i))))
        .allMatch(charged -> charged == null || charged.equals("1"));
  }

  private static List<CompletableFuture<Decision>> ask(
      RedisRateLimiter limiter, int round, int count) {
    return IntStream.range(round * count, (round + 1) * count)
        .mapToObj(i -> limiter.tryAcquireAsync("key" + i, 1).toCompletableFuture())
        .toList();
  }

  private static String limiterKey(int i) {
    return "weir1:counter:default:key" + i;
  }

  // Support

  /** Sends a pipeline whose replies the wire holds back; later ones wait for the connection. */
  private List<Request> occupyTheConnection() {
    takeOff("");
    List<Request> sent = pipeline("x", "y", "z");
    while (!"1".equals(redis.call("GET", "z"))) {
      Thread.onSpinWait();
    }
    return sent;
  }

  /** Sends some requests as a flight of their own. */
  private List<Request> pipeline(String... names) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      if (i == names.length - 1) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20) + 1);
      }
      requests.add(submit(names[i]));
    }
    return requests;
  }

  /** Lets as many flights leave as there may be; returns how many bytes of replies wait. */
  private int takeOff(String prefix) {
    return takeOff(prefix, 1, ADMITTED);
  }

  /** Also where nothing can be written. */
  private int takeOffDenied() {
    return takeOff("denied", TOO_MANY, "*4\r\n:0\r\n:1000\r\n:1\r\n:1\r\n");
  }

  private int takeOff(String prefix, long permits, String reply) {
    redis.call("CONFIG", "RESETSTAT");
    wire.holdReplies();
    for (int i = 0; i < Coalescer.MAX_FLIGHTS; i++) {
      submit(prefix + "flying" + i, permits);
    }
    while (redis.calls("evalsha") < Coalescer.MAX_FLIGHTS) {
      Thread.onSpinWait();
    }
    wire.awaitHeld(1);
    return Coalescer.MAX_FLIGHTS * reply.length();
  }

  private Request submit(String name) {
    return submit(name, 1);
  }

  private Request submit(String name, long permits) {
    Request request = new Request(name, "", permits);
    coalescer.submit(request);
    return request;
  }

  private static void giveUp(Request request) {
    request.completeExceptionally(Unavailable.timedOut(Duration.ofMillis(1)));
  }

  private void awaitAnswer(String name) {
    while (failure(submit(name)) != null) {
      Thread.onSpinWait();
    }
  }

  private void awaitNoLine() {
    while (!coalescer.lines.isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private void refuseWrites(String code) {
    switch (code) {
      case "OOM" -> redis.call("CONFIG", "SET", "maxmemory", "1");
      case "READONLY" ->
          redis.call("REPLICAOF", "127.0.0.1", String.valueOf(RedisProcess.freePort()));
      case "NOREPLICAS" -> redis.call("CONFIG", "SET", "min-replicas-to-write", "1");
      default -> {
        redis.call("CONFIG", "SET", "save", "3600 1");
        server.deleteDirectory();
        redis.call("BGSAVE");
        while (!"err".equals(redis.info("persistence", "rdb_last_bgsave_status"))) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private void acceptWrites() {
    redis.call("CONFIG", "SET", "maxmemory", "0");
    redis.call("REPLICAOF", "NO", "ONE");
    redis.call("CONFIG", "SET", "min-replicas-to-write", "0");
    redis.call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
  }

  /** Returns a reply, or the error. */
  private String call(String... command) {
    try {
      return String.valueOf(server.call(command));
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  private static List<Object> nulls(int count) {
    List<Object> nulls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nulls.add(null);
    }
    return nulls;
  }

  private static Throwable failure(Request request) {
    return request.handle((decision, failure) -> failure).join();
  }
}
