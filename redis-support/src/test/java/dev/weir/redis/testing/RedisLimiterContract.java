package dev.weir.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.Decision;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.RedisOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** What every limiter on Redis keeps, also when the server or the wire fails. */
@ExtendWith(RedisExtension.class)
@Timeout(60)
public abstract class RedisLimiterContract {

  private static final String KEY = "s3cr3t";

  /** Of all three algorithms: no window ends and hardly a token comes while a test runs. */
  private static final Quota TEN = Quota.parse("10/366d");

  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  private final String namespace = TestRedis.freshNamespace();

  protected abstract RateLimiter create(RedissonClient redisson, Quota quota, RedisOptions options);

  /** What the key's names begin with, after {@code weir1:}. */
  protected abstract String tag();

  /** Puts a value of the state's type at a key that is no state. */
  protected abstract void putForeignValue(RespClient redis, String name);

  private RedisOptions options() {
    return RedisOptions.defaults().withNamespace(namespace).withTimeout(Duration.ofSeconds(20));
  }

  private RateLimiter patient(RedissonClient redisson) {
    return create(redisson, TEN, options());
  }

  private RateLimiter hasty(RedissonClient redisson) {
    return create(redisson, TEN, options().withTimeout(TIMEOUT));
  }

  private String name() {
    return "weir1:" + tag() + ":" + namespace + ":" + KEY;
  }

  // Answers

  @ParameterizedTest
  @ValueSource(longs = {1, 4, 6, 7, 10, 11, Long.MAX_VALUE})
  void aPeekAnswersAsTheAcquireThatFollowsAndWritesNothing(
      long permits, RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = create(redisson, TEN, options().withClock(InstantSource.fixed(NOON)));
    limiter.tryAcquire(KEY, 4);
    Object before = redis.call("DUMP", name());

    Decision peeked = limiter.peek(KEY, permits);

    assertThat(redis.call("DUMP", name())).isEqualTo(before);
    assertThat(peeked).isEqualTo(limiter.tryAcquire(KEY, permits));
    redis.call("UNLINK", name());
  }

  @Test
  void aPeekOfANewKeyAnswersAndCreatesNothing(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = patient(redisson);

    assertThat(limiter.peek(KEY, 3).remaining()).isEqualTo(7);
    assertThat(redis.number("EXISTS", name())).isZero();
  }

  @Test
  void theBlockingAndTheAsyncFormTakeFromOneState(RedissonClient redisson) {
    RateLimiter limiter = patient(redisson);

    assertThat(limiter.tryAcquire(KEY, 3).remaining()).isEqualTo(7);
    assertThat(join(limiter.tryAcquireAsync(KEY, 7)).remaining()).isZero();
    assertThat(join(limiter.tryAcquireAsync(KEY)).allowed()).isFalse();
  }

  @Test
  void aResetKeyIsAsNew(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = patient(redisson);
    limiter.tryAcquire(KEY, 10);

    limiter.reset(KEY);

    assertThat(redis.number("EXISTS", name())).isZero();
    assertThat(limiter.tryAcquire(KEY, 10).allowed()).isTrue();
  }

  @Test
  void resettingAKeyWithoutStateDoesNothing(RedissonClient redisson) {
    RateLimiter limiter = patient(redisson);

    limiter.reset(KEY);

    assertThat(limiter.peek(KEY, 10).allowed()).isTrue();
  }

  @Test
  void limitersOfOneNamespaceActAsOneAndNamespacesShareNothing(RedissonClient redisson) {
    patient(redisson).tryAcquire(KEY, 6);

    assertThat(patient(redisson).tryAcquire(KEY, 6).allowed()).isFalse();
    assertThat(
            create(redisson, TEN, options().withNamespace(namespace + "2"))
                .tryAcquire(KEY, 10)
                .allowed())
        .isTrue();
  }

  @Test
  void sixtyFourThreadsGetTheDecisionsOfOne(RedissonClient redisson, RespClient redis)
      throws Exception {
    RateLimiter limiter = create(redisson, Quota.parse("1000/366d"), options());
    long callsBefore = redis.calls("evalsha");
    ExecutorService threads = Executors.newFixedThreadPool(64);
    List<Decision> decisions = new ArrayList<>();
    try {
      Callable<List<Decision>> twenty =
          () -> IntStream.range(0, 20).mapToObj(i -> limiter.tryAcquire(KEY)).toList();
      for (Future<List<Decision>> some :
          threads.invokeAll(IntStream.range(0, 64).mapToObj(i -> twenty).toList())) {
        decisions.addAll(some.get());
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(decisions.stream().filter(Decision::allowed).map(Decision::remaining))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 1000).boxed().toList());
    assertThat(decisions.stream().filter(decision -> !decision.allowed()))
        .hasSize(280)
        .allMatch(decision -> decision.remaining() == 0);
    assertThat(redis.calls("evalsha") - callsBefore)
        .as("calls for 1,280 requests")
        .isLessThan(1280);
  }

  @Test
  void asyncCallersOfOneKeyGetTheDecisionsOfOne(RedissonClient redisson) {
    RateLimiter limiter = create(redisson, Quota.parse("500/366d"), options());

    List<CompletionStage<Decision>> stages =
        IntStream.range(0, 600).mapToObj(i -> limiter.tryAcquireAsync(KEY)).toList();

    assertThat(stages.stream().map(stage -> join(stage).remaining()))
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 600).map(i -> Math.max(0, 499 - i)).boxed().toList());
  }

  @Test
  void callersWhoReadDifferentTimesAreNotMerged(RedissonClient redisson, RespClient redis) {
    Instant[] now = {NOON};
    RateLimiter limiter =
        create(redisson, Quota.parse("100/366d"), options().withClock(() -> now[0]));
    long callsBefore = redis.calls("evalsha");

    List<CompletionStage<Decision>> stages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      stages.add(limiter.tryAcquireAsync(KEY));
      now[0] = now[0].plusMillis(1);
    }

    // They are concurrent, so the server may decide them in any order.
    assertThat(stages.stream().map(stage -> join(stage).remaining()))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 100).boxed().toList());
    assertThat(redis.calls("evalsha") - callsBefore).isEqualTo(100);
    limiter.reset(KEY);
  }

  // Time to live

  @ParameterizedTest
  @ValueSource(strings = {"10/1ms", "10/50ms", "3/1s", "3/1001us burst 1", "10/10m", "10/366d"})
  void aKeyLivesAsLongAsItsStateMattersAndNotMuchLonger(
      String quota, RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = create(redisson, Quota.parse(quota), options());

    for (long permits : new long[] {1, 1, 2, 3}) {
      assertExpiryMatches(() -> limiter.tryAcquire(KEY, permits), limiter, Duration.ZERO, redis);
    }
  }

  @Test
  void aKeyFromTheFutureLivesUntilTheClockHasCaughtUp(RedissonClient redisson, RespClient redis) {
    Quota quota = Quota.parse("10/10m");
    Duration lag = Duration.ofMinutes(4);
    Instant ahead = serverTime(redis).plus(lag);
    create(redisson, quota, options().withClock(InstantSource.fixed(ahead))).tryAcquire(KEY, 9);
    RateLimiter limiter = create(redisson, quota, options());

    Decision decision = assertExpiryMatches(() -> limiter.tryAcquire(KEY), limiter, lag, redis);

    assertThat(decision.allowed()).isTrue();
    assertThat(decision.resetAfter()).isGreaterThan(lag);
  }

  @Test
  void aKeyOfAnInjectedClockLivesForAnHourAtLeast(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter =
        create(redisson, Quota.parse("10/1s"), options().withClock(InstantSource.fixed(NOON)));

    limiter.tryAcquire(KEY);

    assertThat(redis.number("PTTL", name())).isBetween(3_590_000L, 3_600_000L);
    limiter.reset(KEY);
  }

  private Decision assertExpiryMatches(
      Callable<Decision> call, RateLimiter limiter, Duration lag, RespClient redis) {
    try {
      long before = serverTime(redis).toEpochMilli();
      Decision decision = call.call();
      long expiry = redis.number("PEXPIRETIME", name());
      long after = serverTime(redis).toEpochMilli();
      long stateMatters = before + decision.resetAfter().toMillis();
      if (expiry == -2) {
        assertThat(after).as("the key is gone").isGreaterThanOrEqualTo(stateMatters);
      } else {
        assertThat(expiry)
            .isBetween(
                stateMatters, after + 2 * limiter.policy().life().plus(lag).toMillis() + 1000);
      }
      return decision;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Instant serverTime(RespClient redis) {
    List<?> time = (List<?>) redis.call("TIME");
    return Instant.EPOCH
        .plusSeconds(Long.parseLong((String) time.get(0)))
        .plus(Long.parseLong((String) time.get(1)), ChronoUnit.MICROS);
  }

  // What the server may do

  @Test
  void aFlushedScriptIsSentAgainAndTheCallChargedOnce(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = patient(redisson);
    limiter.tryAcquire(KEY, 2);

    redis.call("SCRIPT", "FLUSH");

    assertThat(limiter.tryAcquire(KEY, 3).remaining()).isEqualTo(5);
    redis.call("SCRIPT", "FLUSH");
    assertThat(limiter.peek(KEY).remaining()).isEqualTo(4);
  }

  @Test
  void aValueOfAnotherTypeFailsTheCallAndStays(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = patient(redisson);
    redis.call("RPUSH", name(), "other");

    assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("WRONGTYPE");
    assertUnavailable(() -> limiter.peek(KEY)).hasMessageContaining("WRONGTYPE");
    assertUnavailable(() -> join(limiter.tryAcquireAsync(KEY))).hasMessageContaining("WRONGTYPE");
    assertThat(redis.number("LLEN", name())).isEqualTo(1);
    redis.call("UNLINK", name());
  }

  @Test
  void aValueThatIsNoStateFailsTheCallAndStays(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = patient(redisson);
    putForeignValue(redis, name());
    Object before = redis.call("DUMP", name());

    assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("WEIRSTATE");
    assertUnavailable(() -> limiter.peek(KEY)).hasMessageContaining("WEIRSTATE");
    assertThat(redis.call("DUMP", name())).isEqualTo(before);
    redis.call("UNLINK", name());
  }

  @Test
  void aFullServerAdmitsNothingAndSaysSo() {
    Instant[] now = {NOON};
    try (Own own = new Own()) {
      RateLimiter limiter = create(own.redisson, TEN, options().withClock(() -> now[0]));
      limiter.tryAcquire(KEY, 4);
      own.redis.call("SCRIPT", "FLUSH");
      own.redis.call("CONFIG", "SET", "maxmemory", "1");

      assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("OutOfMemory");
      now[0] = NOON.plus(1, ChronoUnit.MICROS);
      assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("OutOfMemory");
      assertUnavailable(() -> limiter.tryAcquire("new-" + KEY)).hasMessageContaining("OutOfMemory");
      assertUnavailable(() -> join(limiter.tryAcquireAsync(KEY)))
          .hasMessageContaining("OutOfMemory");
      assertThat(limiter.tryAcquire(KEY, 7).allowed()).as("a denial writes nothing").isFalse();
      assertThat(limiter.peek(KEY).remaining()).isEqualTo(5);

      Duration life = limiter.policy().life();
      now[0] = NOON.minus(life).minus(1, ChronoUnit.MICROS);
      assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("OutOfMemory");
      assertUnavailable(() -> limiter.tryAcquire(KEY, 11)).hasMessageContaining("OutOfMemory");

      own.redis.call("CONFIG", "SET", "maxmemory", "0");
      now[0] = NOON;
      assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(5);
    }
  }

  @Test
  void aReadOnlyServerAdmitsNothing() {
    try (Own own = new Own()) {
      RateLimiter limiter = patient(own.redisson);
      limiter.tryAcquire(KEY, 4);
      own.redis.call("REPLICAOF", "127.0.0.1", "1");

      assertUnavailable(() -> limiter.tryAcquire(KEY));

      own.redis.call("REPLICAOF", "NO", "ONE");
      assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(5);
    }
  }

  @Test
  void aLimiterIsMadeWithoutAServerAndWorksOnceThereIsOne() {
    RedisProcess server = RedisProcess.start();
    server.kill();
    Config config = new Config().setLazyInitialization(true);
    config.useSingleServer().setAddress(server.uri().toString());
    RedissonClient redisson = Redisson.create(config);
    try (server) {
      RateLimiter limiter = hasty(redisson);

      assertUnavailable(() -> limiter.tryAcquire(KEY));
      assertUnavailable(() -> limiter.peek(KEY));
      assertUnavailable(() -> limiter.reset(KEY));
      server.restart();

      assertThat(firstAnswer(patient(redisson)).limit()).isEqualTo(10);
    } finally {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void aLimiterWorksAgainOnceARestartedServerDoes() {
    try (Own own = new Own()) {
      RateLimiter limiter = hasty(own.redisson);
      patient(own.redisson).tryAcquire(KEY, 10);
      own.server.kill();
      assertUnavailable(() -> limiter.tryAcquire(KEY));

      own.server.restart();

      assertThat(firstAnswer(patient(own.redisson)).allowed()).isTrue();
    }
  }

  @Test
  void aClosedClientFailsTheCallAtOnce() {
    RedissonClient redisson = TestRedis.newClient(TestRedis.uri());
    RateLimiter limiter = patient(redisson);
    redisson.shutdown(0, 1, TimeUnit.SECONDS);

    assertUnavailable(() -> limiter.tryAcquire(KEY));
    assertUnavailable(() -> join(limiter.tryAcquireAsync(KEY)));
    assertUnavailable(() -> limiter.peek(KEY));
    assertUnavailable(() -> limiter.reset(KEY));
  }

  // What the wire may do

  @Test
  void aReplyThatIsLostWithItsConnectionChargesOnce(RedissonClient direct) {
    try (Wire wire = new Wire()) {
      RateLimiter limiter =
          create(wire.redisson, TEN, options().withTimeout(Duration.ofSeconds(2)));
      patient(wire.redisson).tryAcquire(KEY);
      wire.proxy.cutReplies();

      assertUnavailable(() -> limiter.tryAcquire(KEY, 2));

      wire.proxy.passReplies();
      assertThat(firstAnswer(patient(wire.redisson)).allowed()).isTrue();
      assertThat(patient(direct).peek(KEY).remaining())
          .as("1 before, 2 lost, 1 after, 1 peeked at")
          .isEqualTo(5);
    }
  }

  @Test
  void aReplyThatIsLateChargesOnce(RedissonClient direct) {
    try (Wire wire = new Wire()) {
      RateLimiter limiter =
          create(wire.redisson, TEN, options().withTimeout(Duration.ofSeconds(2)));
      patient(wire.redisson).tryAcquire(KEY);
      wire.proxy.holdReplies();

      assertUnavailable(() -> limiter.tryAcquire(KEY, 2)).hasMessageContaining("within 2000 ms");

      wire.proxy.passReplies();
      assertThat(patient(wire.redisson).tryAcquire(KEY).allowed()).isTrue();
      assertThat(patient(direct).peek(KEY).remaining()).isEqualTo(5);
    }
  }

  @Test
  void aReplyThatIsLateIsToldTheSameWhereRedissonNoticesFirst() {
    try (Wire wire = new Wire()) {
      RateLimiter limiter = hasty(wire.redisson);
      patient(wire.redisson).tryAcquire(KEY);
      wire.proxy.holdReplies();
      CompletableFuture<Void> told = new CompletableFuture<>();
      try {
        // What is chained to a stage holds up the thread that tells later ones of their deadline.
        Future<?> unused =
            limiter
                .tryAcquireAsync(KEY)
                .whenComplete((decision, failure) -> told.join())
                .toCompletableFuture();

        assertUnavailable(() -> join(limiter.tryAcquireAsync("other")))
            .hasMessageContaining("within " + TIMEOUT.toMillis() + " ms");
      } finally {
        told.complete(null);
      }
    }
  }

  @Test
  void everyPathKeepsTheDeadline() {
    try (Wire wire = new Wire()) {
      RateLimiter limiter = hasty(wire.redisson);
      patient(wire.redisson).tryAcquire(KEY);
      wire.proxy.holdReplies();
      Consumer<Runnable> inTime =
          call -> {
            // The best of five: a busy machine may stop us at any time.
            Duration best =
                IntStream.range(0, 5)
                    .mapToObj(
                        i -> {
                          long start = System.nanoTime();
                          assertUnavailable(call::run);
                          return Duration.ofNanos(System.nanoTime() - start);
                        })
                    .min(Duration::compareTo)
                    .orElseThrow();
            assertThat(best).isBetween(TIMEOUT.minusMillis(1), TIMEOUT.plusMillis(100));
          };

      inTime.accept(() -> limiter.tryAcquire(KEY));
      inTime.accept(() -> join(limiter.tryAcquireAsync(KEY)));
      inTime.accept(() -> limiter.peek(KEY));
      inTime.accept(() -> limiter.reset("other"));
      inTime.accept(
          () -> {
            CompletionStage<Decision> flying = limiter.tryAcquireAsync(KEY);
            assertUnavailable(() -> limiter.tryAcquire(KEY));
            assertUnavailable(() -> join(flying));
            throw new RateLimiterUnavailableException("both in time", null);
          });
    }
  }

  @Test
  void aFrozenServerFailsOneCallerAfterTheOtherInTimeAndRecovers() {
    try (Own own = new Own()) {
      RateLimiter limiter = hasty(own.redisson);
      patient(own.redisson).tryAcquire(KEY);
      own.server.freeze();

      assertUnavailable(() -> limiter.tryAcquire(KEY, 2));
      assertUnavailable(() -> limiter.tryAcquire(KEY, 3));

      own.server.thaw();
      assertThat(firstAnswer(patient(own.redisson)).remaining()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aCallerTooManyFailsAtOnceAndTakesNothing(RedissonClient direct) {
    try (Wire wire = new Wire()) {
      RateLimiter limiter = create(wire.redisson, TEN, options().withMaxWaiting(2));
      limiter.tryAcquire(KEY);
      wire.proxy.holdReplies();
      List<CompletionStage<Decision>> waiting =
          List.of(limiter.tryAcquireAsync(KEY), limiter.tryAcquireAsync("other"));

      assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("maxWaiting");
      assertUnavailable(() -> join(limiter.tryAcquireAsync(KEY)))
          .hasMessageContaining("maxWaiting");
      assertUnavailable(() -> limiter.peek(KEY)).hasMessageContaining("maxWaiting");

      wire.proxy.passReplies();
      waiting.forEach(RedisLimiterContract::join);
      assertThat(limiter.tryAcquire(KEY).remaining()).isEqualTo(7);
    }
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet(RedissonClient direct) throws Exception {
    try (Wire wire = new Wire()) {
      RateLimiter limiter = patient(wire.redisson);
      limiter.tryAcquire(KEY);
      wire.proxy.holdReplies();
      FutureTask<Boolean> interrupted =
          new FutureTask<>(
              () -> {
                assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("interrupt");
                return Thread.currentThread().isInterrupted();
              });
      Thread thread = new Thread(interrupted);
      thread.start();
      // That a reply is held does not say whose: the client may still open connections.
      while (patient(direct).peek(KEY).remaining() > 7) {
        Thread.onSpinWait();
      }

      thread.interrupt();

      assertThat(interrupted.get()).isTrue();
      wire.proxy.passReplies();
      assertThat(patient(direct).tryAcquire(KEY).remaining()).isEqualTo(7);
    }
  }

  @Test
  void aThreadThatIsInterruptedAlreadyTakesNothing(RedissonClient redisson) {
    RateLimiter limiter = patient(redisson);

    Thread.currentThread().interrupt();
    assertUnavailable(() -> limiter.tryAcquire(KEY)).hasMessageContaining("interrupt");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(limiter.peek(KEY, 10).allowed()).isTrue();
  }

  // Support

  /** Asks until the client has found the server again. */
  private static Decision firstAnswer(RateLimiter limiter) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        return limiter.tryAcquire(KEY);
      } catch (RateLimiterUnavailableException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  private static Decision join(CompletionStage<Decision> stage) {
    try {
      return CompletableFuture.<Void>completedFuture(null).thenCompose(v -> stage).join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private static AbstractThrowableAssert<?, ?> assertUnavailable(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    StringWriter everything = new StringWriter();
    if (thrown != null) {
      thrown.printStackTrace(new PrintWriter(everything, true));
    }
    assertThat(everything.toString()).doesNotContain(KEY);
    return assertThat(thrown).isInstanceOf(RateLimiterUnavailableException.class);
  }

  /** A server of the test's own, with a client. */
  private static final class Own implements AutoCloseable {

    final RedisProcess server = RedisProcess.start();
    final RedissonClient redisson = TestRedis.newClient(server.uri());
    final RespClient redis = new RespClient(server.uri());

    @Override
    public void close() {
      redis.close();
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
      server.close();
    }
  }

  /** A client whose wire to the shared server can be made to fail. */
  private static final class Wire implements AutoCloseable {

    final FaultProxy proxy = new FaultProxy(TestRedis.uri());
    final RedissonClient redisson = TestRedis.newClient(proxy.uri());

    @Override
    public void close() {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
      proxy.close();
    }
  }
}
