package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.testing.FaultProxy;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.redisson.api.RedissonClient;

@Timeout(60)
class CoalescerTest {

  private static final long LIMIT = 1_000;
  private static final RedisScript SCRIPT =
      RedisScript.read(CoalescerTest.class.getResourceAsStream("/counter.lua"), "counter.lua");

  private final String key = TestRedis.freshNamespace();
  private final AtomicLong nanos = new AtomicLong();
  private FaultProxy wire;
  private RedissonClient redisson;
  private RespClient redis;
  private Coalescer coalescer;

  @BeforeEach
  void connect() {
    wire = new FaultProxy(TestRedis.uri());
    redisson = TestRedis.newClient(wire.uri());
    redis = new RespClient(TestRedis.uri());
    redis.call("SCRIPT", "LOAD", SCRIPT.text());
    coalescer = coalescer(Duration.ofSeconds(20));
    redis.call("CONFIG", "RESETSTAT");
  }

  @AfterEach
  void disconnect() {
    redisson.shutdown(0, 1, TimeUnit.SECONDS);
    wire.close();
    redis.close();
  }

  private Coalescer coalescer(Duration timeout) {
    return new Coalescer(
        new ScriptCall(redisson, new Sender(redisson), timeout, SCRIPT, LIMIT, new long[] {LIMIT}),
        nanos::get);
  }

  @Test
  void whatWaitsLeavesTogetherWhenAFlightLands() {
    List<Request> flying = takeOff();
    List<Request> waiting = submit(100);

    wire.passReplies();

    assertThat(flying.stream().map(request -> request.join().remaining()))
        .containsExactlyInAnyOrder(LIMIT - 1, LIMIT - 2);
    assertThat(waiting.stream().map(request -> request.join().remaining()))
        .containsExactlyElementsOf(LongStream.range(0, 100).map(i -> 997 - i).boxed().toList());
    assertThat(redis.calls("evalsha")).isEqualTo(Coalescer.MAX_FLIGHTS + 1);
    assertThat(coalescer.lines).isEmpty();
  }

  @Test
  void whatWaitsForDifferentKeysIsOnePipeline() {
    takeOff();
    List<Request> waiting = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      waiting.add(submit(key + i % 60));
    }
    long before = Long.parseLong(redis.info("stats", "total_reads_processed"));

    wire.passReplies();

    // Each key is one call that decides both of its requests.
    assertThat(waiting.subList(0, 60)).allMatch(request -> request.join().remaining() == 999);
    assertThat(waiting.subList(60, 120)).allMatch(request -> request.join().remaining() == 998);
    assertThat(redis.calls("evalsha")).isEqualTo(Coalescer.MAX_FLIGHTS + 60);
    assertThat(Long.parseLong(redis.info("stats", "total_reads_processed")) - before)
        .isLessThan(30);
    assertThat(coalescer.lines).isEmpty();
  }

  @Test
  void requestsWithDifferentTimesAreCallsOfTheirOwnInTheOrderOfArrival() {
    takeOff();
    List<Request> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Request request = new Request(key, String.valueOf(i / 2), 1);
      waiting.add(request);
      coalescer.submit(request);
    }

    wire.passReplies();

    assertThat(waiting.stream().map(request -> request.join().remaining()))
        .containsExactlyElementsOf(LongStream.range(0, 100).map(i -> 997 - i).boxed().toList());
    assertThat(redis.calls("evalsha")).isEqualTo(Coalescer.MAX_FLIGHTS + 50);
  }

  @Test
  void noFlightHasMoreThan128Requests() {
    takeOff();
    List<Request> requests = submit(400);

    wire.passReplies();

    requests.forEach(Request::join);
    assertThat(redis.calls("evalsha")).isEqualTo(Coalescer.MAX_FLIGHTS + 4);
    assertThat(redis.call("GET", key)).isEqualTo(String.valueOf(Coalescer.MAX_FLIGHTS + 400));
  }

  @Test
  void whoLeavesTheLineTakesNothing() {
    takeOff();
    List<Request> waiting = submit(5);
    waiting
        .subList(1, 4)
        .forEach(request -> request.completeExceptionally(new IllegalStateException("gone")));

    wire.passReplies();

    waiting.get(0).join();
    waiting.get(4).join();
    assertThat(redis.call("GET", key)).isEqualTo(String.valueOf(Coalescer.MAX_FLIGHTS + 2));
  }

  @Test
  void aLineThatEverybodyLeftSendsNothing() {
    List<Request> flying = takeOff();
    submit().cancel(false);

    wire.passReplies();

    flying.forEach(Request::join);
    awaitNoLine();
    assertThat(redis.call("GET", key)).isEqualTo(String.valueOf(Coalescer.MAX_FLIGHTS));
  }

  @Test
  void aRequestWhoseTimeRanOutBeforeItCameSendsNothing() {
    Request late = new Request(key, "", 1);
    late.cancel(false);

    coalescer.submit(late);

    assertThat(coalescer.lines).isEmpty();
    assertThat(redis.calls("evalsha")).isZero();
  }

  @Test
  void aCallerThatFindsTheLastDepartureOldTakesTheLineAlong() {
    List<Request> lost = takeOff();
    Request inLine = submit();

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20) + 1);
    Request late = submit();

    // The new flight is decided while the replies to the others have still not come, on a
    // connection that a call may share with another.
    awaitDecided(key, Coalescer.MAX_FLIGHTS + 2);
    wire.passReplies();
    lost.forEach(Request::join);
    assertThat(inLine.join().remaining()).isEqualTo(997);
    assertThat(late.join().remaining()).isEqualTo(996);
    awaitNoLine();
  }

  @Test
  void callersDoNotWaitWhileFewFlightsAreUnderWay() {
    wire.holdReplies();
    submit();
    Request other = submit(key + "2");

    awaitDecided(key + "2", 1);
    wire.passReplies();

    assertThat(other.join().remaining()).isEqualTo(999);
  }

  @Test
  void aCallThatFailsFailsItsOwnRequestsAndTheLineGoesOn() {
    redis.call("RPUSH", key, "not a counter");
    List<Request> failing = takeOff();
    Request waiting = submit();
    redis.call("UNLINK", key);

    wire.passReplies();

    assertThat(failing)
        .allSatisfy(
            request ->
                assertThat(failure(request)).isInstanceOf(RateLimiterUnavailableException.class));
    assertThat(waiting.join().remaining()).isEqualTo(999);
    awaitNoLine();
  }

  @Test
  void aCallThatFailsInAPipelineFailsItsOwnRequestsAlone() {
    takeOff();
    redis.call("RPUSH", key + "foreign", "not a counter");
    Request before = submit(key + "before");
    Request failing = submit(key + "foreign");
    Request after = submit(key + "after");

    wire.passReplies();

    assertThat(before.join().remaining()).isEqualTo(999);
    assertThat(failure(failing))
        .isInstanceOf(RateLimiterUnavailableException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(after.join().remaining()).isEqualTo(999);
    awaitNoLine();
  }

  @Test
  void aPipelineForAServerThatForgotTheScriptBringsItAndIsChargedOnce() {
    takeOff();
    List<Request> waiting = IntStream.range(0, 20).mapToObj(i -> submit(key + i)).toList();
    redis.call("SCRIPT", "FLUSH");

    wire.passReplies();

    assertThat(waiting).allMatch(request -> request.join().remaining() == 999);
    assertThat(IntStream.range(0, 20).mapToObj(i -> redis.call("GET", key + i))).containsOnly("1");
    awaitNoLine();
  }

  @Test
  void aPipelineWhoseRepliesAreLostFailsAndIsChargedAtMostOnce() {
    // Lost is what has not come for so long.
    coalescer = coalescer(Duration.ofSeconds(3));
    List<Request> flying = takeOff();
    List<Request> waiting = IntStream.range(0, 20).mapToObj(i -> submit(key + i)).toList();

    wire.cutReplies();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20) + 1);
    Request late = submit(key + "late");

    for (Request request :
        Stream.of(flying, waiting, List.of(late)).flatMap(List::stream).toList()) {
      assertThat(failure(request)).isInstanceOf(RateLimiterUnavailableException.class);
    }
    awaitNoLine();
    wire.passReplies();
    assertThat(IntStream.range(0, 20).mapToObj(i -> redis.call("GET", key + i)))
        .allMatch(charged -> charged == null || charged.equals("1"));
    assertThat(redis.call("GET", key)).isEqualTo(String.valueOf(Coalescer.MAX_FLIGHTS));
    assertThat(submit().join().allowed()).isTrue();
  }

  @Test
  void aLongLineBehindAClosedClientFailsWithoutDeepRecursion() throws Exception {
    takeOff();
    List<Request> requests = submit(300_000);

    Thread shutdown = new Thread(() -> redisson.shutdown(0, 1, TimeUnit.SECONDS));
    shutdown.start();
    while (!redisson.isShuttingDown()) {
      Thread.onSpinWait();
    }
    wire.passReplies();

    for (Request request : requests) {
      assertThat(failure(request)).isInstanceOf(RateLimiterUnavailableException.class);
    }
    awaitNoLine();
    shutdown.join();
  }

  /** As many flights as there may be, whose replies the wire holds back. */
  private List<Request> takeOff() {
    wire.holdReplies();
    List<Request> flying = submit(Coalescer.MAX_FLIGHTS);
    while (redis.calls("evalsha") < Coalescer.MAX_FLIGHTS) {
      Thread.onSpinWait();
    }
    return flying;
  }

  private List<Request> submit(int count) {
    return Stream.generate(this::submit).limit(count).toList();
  }

  private Request submit() {
    return submit(key);
  }

  private Request submit(String name) {
    Request request = new Request(name, "", 1);
    coalescer.submit(request);
    return request;
  }

  /** Who asks last may have the decision before the flight has landed. */
  private void awaitNoLine() {
    while (!coalescer.lines.isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private void awaitDecided(String key, int count) {
    while (!String.valueOf(count).equals(redis.call("GET", key))) {
      Thread.onSpinWait();
    }
  }

  private static Throwable failure(Request request) {
    return request.handle((decision, failure) -> failure).join();
  }
}
