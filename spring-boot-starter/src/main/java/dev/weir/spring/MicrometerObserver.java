package dev.weir.spring;

import dev.weir.FallbackRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.memory.InMemoryStore;
import dev.weir.micrometer.RateLimiterMeters;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts on a registry of meters. */
record MicrometerObserver(MeterRegistry registry) implements LimiterObserver {

  private RateLimiterMeters meters(String namespace, String algorithm, String store) {
    return RateLimiterMeters.of(registry, namespace, algorithm, store);
  }

  @Override
  public RateLimiter observe(
      RateLimiter limiter, String namespace, String algorithm, String store) {
    return meters(namespace, algorithm, store).observe(limiter);
  }

  @Override
  public void watchKeys(InMemoryStore keys, String namespace, String algorithm, String store) {
    meters(namespace, algorithm, store).watchKeys(keys, InMemoryStore::keys);
  }

  @Override
  public void watchFallback(
      FallbackRateLimiter limiter, String namespace, String algorithm, String store) {
    meters(namespace, algorithm, store).watchFallback(limiter);
  }
}
