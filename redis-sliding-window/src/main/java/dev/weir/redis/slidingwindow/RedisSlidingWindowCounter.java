package dev.weir.redis.slidingwindow;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.redis.RedisScript;
import org.redisson.api.RedissonClient;

/**
 * A sliding window counter on Redis: about the limit in any window, by the counts of two windows of
 * a fixed grid. A key is one small string.
 *
 * <p>Blocking, failures and thread safety are those of {@link RedisRateLimiter}.
 */
public final class RedisSlidingWindowCounter extends RedisRateLimiter {

  private static final RedisScript SCRIPT =
      RedisScript.read(
          RedisSlidingWindowCounter.class.getResourceAsStream("sliding_window_counter.lua"),
          "sliding_window_counter.lua");

  private RedisSlidingWindowCounter(
      RedissonClient redisson, SlidingWindowCounterPolicy policy, RedisOptions options) {
    super(redisson, policy, options, "swc", SCRIPT, policy.limit(), micros(policy.window()));
  }

  /**
   * Creates a limiter with the default options; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static RedisSlidingWindowCounter create(
      RedissonClient redisson, SlidingWindowCounterPolicy policy) {
    return create(redisson, policy, RedisOptions.defaults());
  }

  /**
   * Creates a limiter; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @param options the namespace, the timeout and the like
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static RedisSlidingWindowCounter create(
      RedissonClient redisson, SlidingWindowCounterPolicy policy, RedisOptions options) {
    return new RedisSlidingWindowCounter(redisson, policy, options);
  }
}
