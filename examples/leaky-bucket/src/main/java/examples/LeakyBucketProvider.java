package examples;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import java.time.InstantSource;

/** Makes a {@link LeakyBucket} by name. */
public final class LeakyBucketProvider implements RateLimiterProvider {

  @Override
  public String algorithm() {
    return "leaky-bucket";
  }

  @Override
  public String store() {
    return "memory";
  }

  @Override
  public RateLimiter create(Quota quota, ProviderContext context) {
    return new LeakyBucket(
        LeakyBucketPolicy.of(quota), context.clock().orElseGet(InstantSource::system));
  }
}
