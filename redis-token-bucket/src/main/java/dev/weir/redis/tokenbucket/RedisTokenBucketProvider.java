package dev.weir.redis.tokenbucket;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import org.redisson.api.RedissonClient;

/**
 * Makes {@link RedisTokenBucket} limiters from a context that has a {@link RedissonClient} and,
 * optionally, {@link RedisOptions}.
 *
 * <p>Stateless and safe for use by any number of threads.
 */
public final class RedisTokenBucketProvider implements RateLimiterProvider {

  /** Creates the provider, as {@link java.util.ServiceLoader} does. */
  public RedisTokenBucketProvider() {}

  @Override
  public String algorithm() {
    return "token-bucket";
  }

  @Override
  public String store() {
    return "redis";
  }

  @Override
  public RateLimiter create(Quota quota, ProviderContext context) {
    return RedisTokenBucket.create(
        context.require(RedissonClient.class),
        TokenBucketPolicy.of(quota),
        RedisOptions.of(context));
  }
}
