package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;

/**
 * A token bucket limiter in memory: a bucket for each key, full at first and refilled continuously
 * and exactly.
 *
 * <p>A key costs about 90 bytes, the key string aside, and is released once its bucket is full. No
 * method blocks, save for the moment in which another thread decides on the same key. Safe for use
 * by any number of threads.
 */
public final class InMemoryTokenBucket
    extends InMemoryLimiter<TokenBucketPolicy, InMemoryTokenBucket.Bucket> {

  private final long capacity;
  private final long refill;
  private final long period;
  private final long life;

  private InMemoryTokenBucket(TokenBucketPolicy policy, InMemoryOptions options) {
    super("token-bucket", policy, options, key -> new Bucket(key, policy));
    capacity = policy.capacity();
    refill = policy.refillTokens();
    period = Micros.of(policy.refillPeriod());
    life = Micros.of(policy.life());
  }

  /**
   * Returns a limiter with the default options.
   *
   * @param policy the policy
   * @return a new limiter with a store of its own
   * @throws NullPointerException if {@code policy} is null
   */
  public static InMemoryTokenBucket create(TokenBucketPolicy policy) {
    return create(policy, InMemoryOptions.defaults());
  }

  /**
   * Returns a limiter.
   *
   * @param policy the policy
   * @param options the namespace, the clock, the store and the ceiling on keys
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static InMemoryTokenBucket create(TokenBucketPolicy policy, InMemoryOptions options) {
    return new InMemoryTokenBucket(policy, options);
  }

  @Override
  Decision decide(Bucket bucket, long permits, long now, boolean take) {
    long whole = storedTokens(bucket);
    long fraction = storedFraction(bucket);
    long at = Math.max(now, bucket.last);
    if (at - now > life) {
      at = now;
      if (take) {
        bucket.store(whole, fraction, policy, at);
      }
    } else if (now - bucket.last >= life) {
      whole = capacity;
      fraction = 0;
    } else if (whole < capacity) {
      long elapsed = at - bucket.last;
      long gained = MultiplyDivide.floor(refill, elapsed, period);
      fraction += refill * elapsed - gained * period; // below two periods
      whole += gained;
      if (fraction >= period) {
        whole++;
        fraction -= period;
      }
      if (whole >= capacity) {
        whole = capacity;
        fraction = 0;
      }
    }
    boolean allowed = permits <= whole;
    long retryAfter = 0;
    if (allowed) {
      whole -= permits;
      if (take) {
        bucket.store(whole, fraction, policy, at);
      }
    } else {
      retryAfter = permits > limit ? NEVER : microsUntil(permits, whole, fraction) + at - now;
    }
    long resetAfter = whole == capacity ? 0 : microsUntil(capacity, whole, fraction) + at - now;
    return decision(allowed, whole, retryAfter, resetAfter);
  }

  @Override
  boolean hasRecovered(Bucket bucket, long now) {
    long untilFull = microsUntil(capacity, storedTokens(bucket), storedFraction(bucket));
    return now - bucket.last >= untilFull;
  }

  @Override
  void inherit(Bucket heir, Bucket from) {
    heir.store(from.whole, from.fraction, from.policy, from.last);
  }

  private long storedTokens(Bucket bucket) {
    return bucket.isUsed() ? Math.min(bucket.whole, capacity) : capacity;
  }

  /** Returns the fraction of a token, in parts of this policy's period, rounded down. */
  private long storedFraction(Bucket bucket) {
    if (!bucket.isUsed() || bucket.whole >= capacity) {
      return 0;
    }
    if (bucket.policy.equals(policy)) {
      return bucket.fraction;
    }
    return MultiplyDivide.floor(bucket.fraction, period, Micros.of(bucket.policy.refillPeriod()));
  }

  /** Returns the time until a bucket holds so many tokens, at least as many as now, rounded up. */
  private long microsUntil(long tokens, long whole, long fraction) {
    long missing = tokens - whole;
    long micros = MultiplyDivide.floor(missing, period, refill);
    long rest = missing * period - micros * refill - fraction; // below the refill
    return rest > 0 ? micros + 1 : micros - -rest / refill;
  }

  /** The level after the last admission: whole tokens, and a fraction in parts of the period. */
  static final class Bucket extends State<Bucket> {

    private long whole;
    private long fraction;

    /** The policy of the last admission, whose period that is. */
    private TokenBucketPolicy policy;

    Bucket(String key, TokenBucketPolicy policy) {
      super(key);
      this.policy = policy;
    }

    private void store(long whole, long fraction, TokenBucketPolicy policy, long last) {
      this.whole = whole;
      this.fraction = fraction;
      this.policy = policy;
      this.last = last;
    }
  }
}
