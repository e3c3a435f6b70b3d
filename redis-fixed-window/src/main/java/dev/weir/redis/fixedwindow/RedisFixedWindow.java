package dev.weir.redis.fixedwindow;

import dev.weir.FixedWindowPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.redis.RedisScript;
import org.redisson.api.RedissonClient;

/**
 * A fixed window on Redis: at most the limit in each window of a fixed grid, around a border up to
 * twice that within a moment. A key is one small string.
 *
 * <p>Blocking, failures and thread safety are those of {@link RedisRateLimiter}.
 */
public final class RedisFixedWindow extends RedisRateLimiter {

  private static final RedisScript SCRIPT =
      RedisScript.read(
          RedisFixedWindow.class.getResourceAsStream("fixed_window.lua"), "fixed_window.lua");

  private RedisFixedWindow(
      RedissonClient redisson, FixedWindowPolicy policy, RedisOptions options) {
    super(redisson, policy, options, "fw", SCRIPT, policy.limit(), micros(policy.window()));
  }

  /**
   * Creates a limiter with the default options; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static RedisFixedWindow create(RedissonClient redisson, FixedWindowPolicy policy) {
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
  public static RedisFixedWindow create(
      RedissonClient redisson, FixedWindowPolicy policy, RedisOptions options) {
    return new RedisFixedWindow(redisson, policy, options);
  }
}
