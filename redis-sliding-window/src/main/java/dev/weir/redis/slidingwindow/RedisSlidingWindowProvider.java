package dev.weir.redis.slidingwindow;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.RedisOptions;
import org.redisson.api.RedissonClient;

/**
 * Makes {@link RedisSlidingWindow} limiters from a context that has a {@link RedissonClient} and,
 * optionally, {@link RedisOptions}.
 *
 * <p>Stateless and safe for use by any number of threads.
 */
public final class RedisSlidingWindowProvider implements RateLimiterProvider {

  /** Creates the provider, as {@link java.util.ServiceLoader} does. */
  public RedisSlidingWindowProvider() {}

  @Override
  public String algorithm() {
    return "sliding-window";
  }

  @Override
  public String store() {
    return "redis";
  }

  @Override
  public RateLimiter create(Quota quota, ProviderContext context) {
    return RedisSlidingWindow.create(
        context.require(RedissonClient.class),
        SlidingWindowPolicy.of(quota),
        RedisOptions.of(context));
  }
}
