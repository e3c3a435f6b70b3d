package examples;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A leaky bucket as a queue: a request is admitted when its permits still find room, and permits leave one by one.
 *
 * <p>Safe for use by any number of threads, does not block. Keeps a key until it is asked for again or reset.
 */
public final class LeakyBucket implements RateLimiter {

  /** How many permits wait, and since when the first of them has been on its way out. */
  private record Queue(long length, long sinceMicros) {}

  private final LeakyBucketPolicy policy;
  private final InstantSource clock;
  private final long intervalMicros;
  private final ConcurrentHashMap<String, Queue> queues = new ConcurrentHashMap<>();

  public LeakyBucket(LeakyBucketPolicy policy, InstantSource clock) {
    this.policy = policy;
    this.clock = clock;
    this.intervalMicros = policy.interval().toNanos() / 1_000;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    check(key, permits);
    Decision[] decision = new Decision[1];
    queues.compute(
        key,
        (k, stored) -> {
          long now = nowMicros();
          Queue queue = leak(stored, now);
          decision[0] = decide(queue, permits, now);
          return decision[0].allowed() ? add(queue, permits) : stored;
        });
    return decision[0];
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedStage(tryAcquire(key, permits));
  }

  @Override
  public Decision peek(String key, long permits) {
    check(key, permits);
    long now = nowMicros();
    return decide(leak(queues.get(key), now), permits, now);
  }

  @Override
  public void reset(String key) {
    check(key, 1);
    queues.remove(key);
  }

  private Decision decide(Queue queue, long permits, long now) {
    boolean allowed = permits <= policy.limit() - queue.length();
    Queue after = allowed ? add(queue, permits) : queue;
    Duration retryAfter =
        allowed
            ? Duration.ZERO
            : permits > policy.limit()
                ? Decision.NEVER
                : untilDepartures(queue, queue.length() + permits - policy.limit(), now);
    Duration resetAfter =
        after.length() == 0 ? Duration.ZERO : untilDepartures(after, after.length(), now);
    return new Decision(
        allowed, policy.limit(), policy.limit() - after.length(), retryAfter, resetAfter);
  }

  /** The queue as it is now: after a clock that stepped back, as it was. */
  private Queue leak(Queue stored, long now) {
    if (stored == null) {
      return new Queue(0, now);
    }
    long departed = Math.max(0, now - stored.sinceMicros()) / intervalMicros;
    return departed >= stored.length()
        ? new Queue(0, now)
        : new Queue(stored.length() - departed, stored.sinceMicros() + departed * intervalMicros);
  }

  private static Queue add(Queue queue, long permits) {
    return new Queue(queue.length() + permits, queue.sinceMicros());
  }

  private Duration untilDepartures(Queue queue, long count, long now) {
    return Duration.of(queue.sinceMicros() + count * intervalMicros - now, ChronoUnit.MICROS);
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(java.time.Instant.EPOCH, clock.instant());
  }

  private static void check(String key, long permits) {
    if (Objects.requireNonNull(key, "key").isEmpty()) {
      throw new IllegalArgumentException("key must not be empty");
    }
    if (permits < 1) {
      throw new IllegalArgumentException("permits must be at least 1, was " + permits);
    }
  }
}
