package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

/**
 * Calls of all limiters under way while something breaks, and afterwards what became of each.
 *
 * <p>Every key is asked ten times, for 4^9, 4^10, up to 4^18 permits, all of which fit. So the
 * digits to the base of 4 of what a key has used say of each of its calls how often it was charged.
 */
final class Load implements AutoCloseable {

  /** Begins every key, so that it is found wherever a key leaks to. */
  static final String SECRET = "secret-";

  private static final int THREADS = 4;
  private static final int CALLS_PER_KEY = 10;

  /** So many that each limiter has several keys whose calls leave as one pipeline. */
  private static final int KEYS_AT_ONCE = 6 * Algorithm.values().length;

  // The bucket gains less than this within ten minutes, so used permits rounded up are exact.
  private static final long UNIT = 1L << 18;
  private static final long LIMIT = 100_000_000_000L;
  private static final Duration YEAR = Duration.ofDays(366);
  private static final Duration BETWEEN_KEYS = Duration.ofMillis(4);
  private static final Duration BETWEEN_BURSTS = Duration.ofMillis(20);

  private final Map<Algorithm, RateLimiter> limiters = new EnumMap<>(Algorithm.class);
  private final String namespace = TestRedis.freshNamespace();
  private final Predicate<String> wanted;
  private final ScheduledExecutorService workers = Executors.newScheduledThreadPool(THREADS);
  private final Queue<AskedKey> asked = new ConcurrentLinkedQueue<>();
  private final AtomicLong keys = new AtomicLong();
  private final LongAdder admitted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  private Load(
      RedissonClient redisson,
      RedisOptions options,
      Predicate<String> wanted,
      UnaryOperator<RateLimiter> made) {
    this.wanted = wanted;
    for (Algorithm algorithm : Algorithm.values()) {
      Policy policy =
          algorithm == Algorithm.TOKEN_BUCKET
              ? TokenBucketPolicy.of(LIMIT, LIMIT / 10, YEAR)
              : algorithm.policy(LIMIT, YEAR);
      limiters.put(
          algorithm,
          made.apply(algorithm.create(redisson, policy, options.withNamespace(namespace))));
    }
  }

  /** Starts calls in a fresh namespace. */
  static Load start(RedissonClient redisson) {
    return start(redisson, RedisOptions.defaults());
  }

  /** Starts calls with options but in a fresh namespace. */
  static Load start(RedissonClient redisson, RedisOptions options) {
    return start(redisson, options, UnaryOperator.identity());
  }

  /** Starts calls for those keys only whose names on the server are wanted. */
  static Load startWhere(RedissonClient redisson, RedisOptions options, Predicate<String> wanted) {
    return start(new Load(redisson, options, wanted, UnaryOperator.identity()));
  }

  /** Starts calls of what is made of the limiters. */
  static Load start(
      RedissonClient redisson, RedisOptions options, UnaryOperator<RateLimiter> made) {
    return start(new Load(redisson, options, name -> true, made));
  }

  private static Load start(Load load) {
    for (int i = 0; i < THREADS; i++) {
      boolean atOnce = i % 2 == 0;
      Runnable ask = atOnce ? load::askAtOnce : load::askOneByOne;
      load.workers.scheduleWithFixedDelay(
          () -> {
            try {
              ask.run();
            } catch (RuntimeException | Error e) {
              load.wrongs.add("failed otherwise than its stage: " + LogRecorder.text(e));
            }
          },
          i,
          (atOnce ? BETWEEN_BURSTS : BETWEEN_KEYS).toMillis(),
          TimeUnit.MILLISECONDS);
    }
    return load;
  }

  /** Returns when so many more calls were admitted. */
  void awaitAdmitted(long more) {
    long enough = admitted.sum() + more;
    await().atMost(Duration.ofMinutes(1)).until(() -> admitted.sum() >= enough);
  }

  /** Returns when so many more calls have failed. */
  void awaitFailed(long more) {
    long enough = failed.sum() + more;
    await().atMost(Duration.ofMinutes(1)).until(() -> failed.sum() >= enough);
  }

  /** Ends the calls and asks every key what it has used. */
  Audit stop() {
    close();
    Audit audit = new Audit();
    AskedKey key;
    while ((key = asked.poll()) != null) {
      audit.add(key);
    }
    failures.forEach((reason, count) -> audit.reasons.put(reason, count.sum()));
    assertThat(wrongs).as("what was wrong with single calls").isEmpty();
    return audit;
  }

  @Override
  public void close() {
    workers.shutdown();
    try {
      assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).as("all calls returned").isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private AskedKey nextKey() {
    while (true) {
      long number = keys.getAndIncrement();
      Algorithm algorithm = Algorithm.values()[(int) (number % Algorithm.values().length)];
      if (wanted.test(algorithm.name(namespace, SECRET + number))) {
        AskedKey key = new AskedKey(limiters.get(algorithm), SECRET + number);
        asked.add(key);
        return key;
      }
    }
  }

  /** Asks some keys for everything at once, so that calls coalesce and leave as pipelines. */
  private void askAtOnce() {
    List<CompletableFuture<?>> settled = new ArrayList<>();
    for (int k = 0; k < KEYS_AT_ONCE; k++) {
      AskedKey key = nextKey();
      for (int i = 0; i < CALLS_PER_KEY; i++) {
        Call call = key.begin(i);
        settled.add(
            key.limiter
                .tryAcquireAsync(key.name, UNIT << (2 * i))
                .handle(
                    (decision, failure) -> {
                      settle(call, decision, failure);
                      return decision;
                    })
                .toCompletableFuture());
      }
    }
    try {
      CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      wrongs.add("calls did not return: " + e);
    }
  }

  private void askOneByOne() {
    AskedKey key = nextKey();
    for (int i = 0; i < CALLS_PER_KEY; i++) {
      Call call = key.begin(i);
      try {
        settle(call, key.limiter.tryAcquire(key.name, UNIT << (2 * i)), null);
      } catch (RuntimeException | Error e) {
        settle(call, null, e);
      }
    }
  }

  private void settle(Call call, @Nullable Decision decision, @Nullable Throwable failure) {
    call.ended = System.nanoTime();
    if (decision != null) {
      call.admitted = true;
      admitted.increment();
      if (!decision.allowed()) {
        wrongs.add("denied what fits: " + decision);
      }
      return;
    }
    failed.increment();
    String text = LogRecorder.text(failure);
    if (!(failure instanceof RateLimiterUnavailableException)) {
      wrongs.add("failed otherwise than unavailable: " + text);
    } else if (text.contains(SECRET)) {
      wrongs.add("tells the key: " + text);
    }
    failures.computeIfAbsent(failure.getMessage(), reason -> new LongAdder()).increment();
  }

  private static final class AskedKey {

    final RateLimiter limiter;
    final String name;
    final Call[] calls = new Call[CALLS_PER_KEY];

    AskedKey(RateLimiter limiter, String name) {
      this.limiter = limiter;
      this.name = name;
    }

    Call begin(int index) {
      return calls[index] = new Call();
    }

    /** The permits that the key has used, in units. */
    long used() {
      long used = limiter.policy().limit() - 1 - remainingAfterOne();
      return (used + UNIT - 1) / UNIT;
    }

    private long remainingAfterOne() {
      try {
        return limiter.peek(name, 1).remaining();
      } catch (RateLimiterUnavailableException e) {
        return await()
            .atMost(Duration.ofSeconds(30))
            .ignoreExceptionsInstanceOf(RateLimiterUnavailableException.class)
            .until(() -> limiter.peek(name, 1).remaining(), remaining -> true);
      }
    }
  }

  private static final class Call {

    final long begun = System.nanoTime();
    long ended;
    boolean admitted;
  }

  /** What became of the calls, by what the callers were told and what the store remembers. */
  static final class Audit {

    private long admitted;
    private long failed;
    private long failedButCharged;
    private long chargedTwice;
    private long lastFailure = Long.MIN_VALUE;
    private final List<Call> forgotten = new ArrayList<>();
    private final Map<String, Long> reasons = new TreeMap<>();

    private void add(AskedKey key) {
      long digits = key.used();
      for (Call call : key.calls) {
        if (call == null) {
          continue; // the worker ended before
        }
        int charges = (int) (digits & 3);
        digits >>= 2;
        chargedTwice += charges > 1 ? 1 : 0;
        if (call.admitted) {
          admitted++;
          if (charges == 0) {
            forgotten.add(call);
          }
        } else {
          failed++;
          failedButCharged += charges > 0 ? 1 : 0;
          lastFailure = Math.max(lastFailure, call.ended);
        }
      }
    }

    long admitted() {
      return admitted;
    }

    /** The calls that ended as unavailable. */
    long failed() {
      return failed;
    }

    /** The calls that ended as unavailable and yet were charged. */
    long failedButCharged() {
      return failedButCharged;
    }

    /** The calls that were charged more than once. */
    long chargedTwice() {
      return chargedTwice;
    }

    /** The calls that were admitted and of which the store knows nothing. */
    long forgotten() {
      return forgotten.size();
    }

    /**
     * The forgotten calls whose answer came at a time, of {@link System#nanoTime()}, with a
     * property.
     */
    long forgottenThatEnded(LongPredicate time) {
      return forgotten.stream().filter(call -> time.test(call.ended)).count();
    }

    long forgottenThatBegan(LongPredicate time) {
      return forgotten.stream().filter(call -> time.test(call.begun)).count();
    }

    /** How long after a time the last call failed. */
    Duration failingSince(long time) {
      return failed == 0 ? Duration.ZERO : Duration.ofNanos(lastFailure - time);
    }

    /** The messages of the failures, with their numbers. */
    Map<String, Long> reasons() {
      return reasons;
    }

    @Override
    public String toString() {
      return "%,d admitted, %,d failed of which %,d charged, %,d charged twice, %,d forgotten %s"
          .formatted(admitted, failed, failedButCharged, chargedTwice, forgotten.size(), reasons);
    }
  }
}
