package dev.weir.redis.tokenbucket;

import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.redis.RedisScript;
import org.redisson.api.RedissonClient;

/**
 * A token bucket on Redis: full at first use and refilled continuously, with no fraction of a token
 * lost or invented. A key is one small string.
 *
 * <p>Blocking, failures and thread safety are those of {@link RedisRateLimiter}.
 */
public final class RedisTokenBucket extends RedisRateLimiter {

  private static final RedisScript SCRIPT =
      RedisScript.read(
          RedisTokenBucket.class.getResourceAsStream("token_bucket.lua"), "token_bucket.lua");

  private RedisTokenBucket(
      RedissonClient redisson, TokenBucketPolicy policy, RedisOptions options) {
    super(
        redisson,
        policy,
        options,
        "tb",
        SCRIPT,
        policy.capacity(),
        policy.refillTokens(),
        micros(policy.refillPeriod()),
        micros(policy.life()));
  }

  /**
   * Creates a limiter with the default options; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   */
  public static RedisTokenBucket create(RedissonClient redisson, TokenBucketPolicy policy) {
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
  public static RedisTokenBucket create(
      RedissonClient redisson, TokenBucketPolicy policy, RedisOptions options) {
    return new RedisTokenBucket(redisson, policy, options);
  }
}
