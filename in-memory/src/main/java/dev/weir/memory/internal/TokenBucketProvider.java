package dev.weir.memory.internal;

import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryTokenBucket;

/** Makes {@link InMemoryTokenBucket} limiters by name. */
public final class TokenBucketProvider extends MemoryProvider {

  public TokenBucketProvider() {
    super(
        "token-bucket",
        (quota, options) -> InMemoryTokenBucket.create(TokenBucketPolicy.of(quota), options));
  }
}
