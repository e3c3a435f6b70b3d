package dev.weir.redis.slidingwindow;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.redis.RedisOptions;
import org.redisson.api.RedissonClient;

/**
 * Makes {@link RedisSlidingWindowCounter} limiters from a context that has a {@link RedissonClient}
 * and, optionally, {@link RedisOptions}.
 *
 * <p>Stateless and safe for use by any number of threads.
 */
public final class RedisSlidingWindowCounterProvider implements RateLimiterProvider {

  /** Creates the provider, as {@link java.util.ServiceLoader} does. */
  public RedisSlidingWindowCounterProvider() {}

  @Override
  public String algorithm() {
    return "sliding-window-counter";
  }

  @Override
  public String store() {
    return "redis";
  }

  @Override
  public RateLimiter create(Quota quota, ProviderContext context) {
    return RedisSlidingWindowCounter.create(
        context.require(RedissonClient.class),
        SlidingWindowCounterPolicy.of(quota),
        RedisOptions.of(context));
  }
}
