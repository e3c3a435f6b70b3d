package dev.weir.redis.slidingwindow;

import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.redis.RedisScript;
import org.redisson.api.RedissonClient;

/**
 * A sliding window log on Redis: never more than the limit in any window, wherever it starts. A key
 * is a sorted set with an entry for each microsecond in which something was admitted.
 *
 * <p>Blocking, failures and thread safety are those of {@link RedisRateLimiter}.
 */
public final class RedisSlidingWindow extends RedisRateLimiter {

  private static final RedisScript SCRIPT =
      RedisScript.read(
          RedisSlidingWindow.class.getResourceAsStream("sliding_window.lua"), "sliding_window.lua");

  private RedisSlidingWindow(
      RedissonClient redisson, SlidingWindowPolicy policy, RedisOptions options) {
    super(redisson, policy, options, "sw", SCRIPT, policy.limit(), micros(policy.window()));
  }

  /**
   * Creates a limiter with the default options; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static RedisSlidingWindow create(RedissonClient redisson, SlidingWindowPolicy policy) {
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
  public static RedisSlidingWindow create(
      RedissonClient redisson, SlidingWindowPolicy policy, RedisOptions options) {
    return new RedisSlidingWindow(redisson, policy, options);
  }
}
