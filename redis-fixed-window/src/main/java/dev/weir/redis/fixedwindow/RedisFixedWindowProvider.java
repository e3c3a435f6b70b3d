package dev.weir.redis.fixedwindow;

import dev.weir.FixedWindowPolicy;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.redis.RedisOptions;
import org.redisson.api.RedissonClient;

/**
 * Makes {@link RedisFixedWindow} limiters from a context that has a {@link RedissonClient} and,
 * optionally, {@link RedisOptions}.
 *
 * <p>Stateless and safe for use by any number of threads.
 */
public final class RedisFixedWindowProvider implements RateLimiterProvider {

  /** Creates the provider, as {@link java.util.ServiceLoader} does. */
  public RedisFixedWindowProvider() {}

  @Override
  public String algorithm() {
    return "fixed-window";
  }

  @Override
  public String store() {
    return "redis";
  }

  @Override
  public RateLimiter create(Quota quota, ProviderContext context) {
    return RedisFixedWindow.create(
        context.require(RedissonClient.class),
        FixedWindowPolicy.of(quota),
        RedisOptions.of(context));
  }
}
