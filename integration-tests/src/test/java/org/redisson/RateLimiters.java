package org.redisson;

import org.redisson.api.RRateLimiter;
import org.redisson.command.CommandAsyncExecutor;

/** Opens to tests what is private to this package. */
public final class RateLimiters {

  private RateLimiters() {}

  /** What {@link Redisson#getRateLimiter(String)} returns, with another executor of commands. */
  public static RRateLimiter create(CommandAsyncExecutor executor, String name) {
    return new RedissonRateLimiter(executor, name);
  }
}
