package dev.weir.spring;

import dev.weir.FallbackRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.memory.InMemoryStore;

/** Watches limiters as they are made. By default nobody does. */
interface LimiterObserver {

  /** Returns the limiter to ask instead. */
  default RateLimiter observe(
      RateLimiter limiter, String namespace, String algorithm, String store) {
    return limiter;
  }

  /** Watches the keys of a limiter in memory. */
  default void watchKeys(InMemoryStore keys, String namespace, String algorithm, String store) {}

  /** Watches which of two limiters decides; the store is the first one's. */
  default void watchFallback(
      FallbackRateLimiter limiter, String namespace, String algorithm, String store) {}
}
