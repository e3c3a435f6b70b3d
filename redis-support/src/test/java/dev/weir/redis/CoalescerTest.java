package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.testing.FaultProxy;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
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
    RedisScript script =
        RedisScript.read(CoalescerTest.class.getResourceAsStream("/counter.lua"), "counter.lua");
    redis.call("SCRIPT", "LOAD", script.text());
    coalescer =
        new Coalescer(
            new ScriptCall(
                redisson,
                new Sender(redisson),
                Duration.ofSeconds(20),
                script,
                LIMIT,
                new long[] {LIMIT}),
            nanos::get);
    redis.call("CONFIG", "RESETSTAT");
  }

  @AfterEach
  void disconnect() {
    redisson.shutdown(0, 1, TimeUnit.SECONDS);
    wire.close();
    redis.close();
  }

  @Test
  void whatWaitsLeavesTogetherWhenTheFlyingCallLands() {
    wire.holdReplies();
    Request flying = submit();
    List<Request> waiting = Stream.generate(this::submit).limit(100).toList();

    wire.passReplies();

    assertThat(flying.join().remaining()).isEqualTo(999);
    assertThat(waiting.stream().map(request -> request.join().remaining()))
        .containsExactlyElementsOf(LongStream.range(0, 100).map(i -> 998 - i).boxed().toList());
    assertThat(redis.calls("evalsha")).isEqualTo(2);
    assertThat(coalescer.lines).isEmpty();
  }

  @Test
  void noCallHasMoreThan128Requests() {
    wire.holdReplies();
    List<Request> requests = Stream.generate(this::submit).limit(1 + 400).toList();

    wire.passReplies();

    requests.forEach(Request::join);
    assertThat(redis.calls("evalsha")).isEqualTo(1 + 4);
    assertThat(redis.call("GET", key)).isEqualTo("401");
  }

  @Test
  void whoLeavesTheLineTakesNothing() {
    wire.holdReplies();
    Request flying = submit();
    List<Request> waiting = Stream.generate(this::submit).limit(5).toList();
    waiting
        .subList(1, 4)
        .forEach(request -> request.completeExceptionally(new IllegalStateException("gone")));

    wire.passReplies();

    flying.join();
    waiting.get(0).join();
    waiting.get(4).join();
    assertThat(redis.call("GET", key)).isEqualTo("3");
  }

  @Test
  void aLineThatEverybodyLeftSendsNothing() {
    wire.holdReplies();
    Request flying = submit();
    submit().cancel(false);

    wire.passReplies();

    flying.join();
    assertThat(coalescer.lines).isEmpty();
    assertThat(redis.call("GET", key)).isEqualTo("1");
  }

  @Test
  void aRequestWhoseTimeRanOutBeforeItCameSendsNothing() {
    Request late = new Request("", 1);
    late.cancel(false);

    coalescer.submit(key, late);

    assertThat(coalescer.lines).isEmpty();
    assertThat(redis.calls("evalsha")).isZero();
  }

  @Test
  void aCallerThatFindsTheFlyingCallOldTakesTheLineAlong() {
    wire.holdReplies();
    Request lost = submit();
    Request inLine = submit();
    wire.awaitHeld(1);

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20) + 1);
    Request late = submit();

    // The second call is decided while the first one's reply has still not come.
    awaitDecided(key, 3);
    wire.passReplies();
    assertThat(lost.join().remaining()).isEqualTo(999);
    assertThat(inLine.join().remaining()).isEqualTo(998);
    assertThat(late.join().remaining()).isEqualTo(997);
    assertThat(coalescer.lines).isEmpty();
  }

  @Test
  void callersOfOtherKeysDoNotWait() {
    wire.holdReplies();
    submit();
    Request other = new Request("", 1);
    coalescer.submit(key + "2", other);

    awaitDecided(key + "2", 1);
    wire.passReplies();

    assertThat(other.join().remaining()).isEqualTo(999);
  }

  @Test
  void aCallThatFailsFailsItsOwnRequestsAndTheLineGoesOn() {
    redis.call("RPUSH", key, "not a counter");
    wire.holdReplies();
    Request failing = submit();
    Request waiting = submit();
    wire.awaitHeld(1);
    redis.call("UNLINK", key);

    wire.passReplies();

    assertThat(failure(failing)).isInstanceOf(RateLimiterUnavailableException.class);
    assertThat(waiting.join().remaining()).isEqualTo(999);
    assertThat(coalescer.lines).isEmpty();
  }

  @Test
  void aLongLineBehindAClosedClientFailsWithoutDeepRecursion() throws Exception {
    wire.holdReplies();
    submit();
    wire.awaitHeld(1);
    // Every one reads another time, so that no two leave together.
    List<Request> requests =
        IntStream.range(0, 3_000)
            .mapToObj(time -> new Request(String.valueOf(time), 1))
            .peek(request -> coalescer.submit(key, request))
            .toList();

    Thread shutdown = new Thread(() -> redisson.shutdown(0, 1, TimeUnit.SECONDS));
    shutdown.start();
    while (!redisson.isShuttingDown()) {
      Thread.onSpinWait();
    }
    wire.passReplies();

    assertThat(requests)
        .allSatisfy(
            request ->
                assertThat(failure(request)).isInstanceOf(RateLimiterUnavailableException.class));
    assertThat(coalescer.lines).isEmpty();
    shutdown.join();
  }

  private Request submit() {
    Request request = new Request("", 1);
    coalescer.submit(key, request);
    return request;
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
