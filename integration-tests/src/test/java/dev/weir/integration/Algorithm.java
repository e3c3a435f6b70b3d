package dev.weir.integration;

import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.fixedwindow.RedisFixedWindow;
import dev.weir.redis.slidingwindow.RedisSlidingWindow;
import dev.weir.redis.slidingwindow.RedisSlidingWindowCounter;
import dev.weir.redis.testing.TestRedis;
import dev.weir.redis.tokenbucket.RedisTokenBucket;
import java.time.Duration;
import java.util.Arrays;
import org.redisson.api.RedissonClient;

/** The algorithms on Redis, so that a test says once what holds for each. */
enum Algorithm {
  FIXED_WINDOW("fw") {
    @Override
    Policy policy(long limit, Duration window) {
      return FixedWindowPolicy.of(limit, window);
    }

    @Override
    RateLimiter create(RedissonClient redisson, Policy policy, RedisOptions options) {
      return RedisFixedWindow.create(redisson, (FixedWindowPolicy) policy, options);
    }
  },
  SLIDING_WINDOW("sw") {
    @Override
    Policy policy(long limit, Duration window) {
      return SlidingWindowPolicy.of(limit, window);
    }

    @Override
    RateLimiter create(RedissonClient redisson, Policy policy, RedisOptions options) {
      return RedisSlidingWindow.create(redisson, (SlidingWindowPolicy) policy, options);
    }
  },
  SLIDING_WINDOW_COUNTER("swc") {
    @Override
    Policy policy(long limit, Duration window) {
      return SlidingWindowCounterPolicy.of(limit, window);
    }

    @Override
    RateLimiter create(RedissonClient redisson, Policy policy, RedisOptions options) {
      return RedisSlidingWindowCounter.create(
          redisson, (SlidingWindowCounterPolicy) policy, options);
    }
  },
  TOKEN_BUCKET("tb") {
    @Override
    Policy policy(long limit, Duration window) {
      return TokenBucketPolicy.of(limit, limit, window);
    }

    @Override
    RateLimiter create(RedissonClient redisson, Policy policy, RedisOptions options) {
      return RedisTokenBucket.create(redisson, (TokenBucketPolicy) policy, options);
    }
  };

  private final String tag;

  Algorithm(String tag) {
    this.tag = tag;
  }

  static Algorithm of(Policy policy) {
    return Arrays.stream(values())
        .filter(
            algorithm -> algorithm.policy(1, Duration.ofDays(1)).getClass() == policy.getClass())
        .findFirst()
        .orElseThrow();
  }

  /** The policy that admits a limit per window; a bucket of that size, filled in that time. */
  abstract Policy policy(long limit, Duration window);

  abstract RateLimiter create(RedissonClient redisson, Policy policy, RedisOptions options);

  final RateLimiter create(
      RedissonClient redisson, long limit, Duration window, RedisOptions options) {
    return create(redisson, policy(limit, window), options);
  }

  /**
   * Options with a namespace of their own, and with patience: for tests in which nothing is broken.
   */
  static RedisOptions patient() {
    return RedisOptions.defaults()
        .withNamespace(TestRedis.freshNamespace())
        .withTimeout(Duration.ofSeconds(20));
  }

  /** The name of a key on the server, for names without anything to encode. */
  final String name(String namespace, String key) {
    return "weir1:" + tag + ":" + namespace + ":" + key;
  }
}
