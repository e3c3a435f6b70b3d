package dev.weir.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiters;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The limiters in memory that are compared, each as it is by default, its clock included. */
final class MemorySubject {

  static final List<String> PEERS = List.of("Bucket4j", "Resilience4j", "Guava");

  private MemorySubject() {}

  /** Returns what answers whether a key is admitted; a peer here has one limiter for all keys. */
  static Predicate<String> shared(String name, Quota quota) {
    return switch (name) {
      case "Bucket4j" -> {
        Bucket bucket = bucket(quota);
        yield key -> bucket.tryConsume(1);
      }
      case "Resilience4j" -> {
        io.github.resilience4j.ratelimiter.RateLimiter limiter = resilience(config(quota));
        yield key -> limiter.acquirePermission();
      }
      case "Guava" -> {
        RateLimiter limiter = guava(quota);
        yield key -> limiter.tryAcquire();
      }
      case "System.nanoTime" -> key -> System.nanoTime() != 0;
      default -> weir(name, quota);
    };
  }

  /** Returns what answers whether a key is admitted, with a limiter for each key. */
  static Predicate<String> keyed(String name, Quota quota) {
    return switch (name) {
      case "Bucket4j" -> keyed(key -> bucket(quota), bucket -> bucket.tryConsume(1));
      case "Resilience4j" -> {
        RateLimiterConfig config = config(quota);
        yield keyed(key -> resilience(config), limiter -> limiter.acquirePermission());
      }
      case "Guava" -> keyed(key -> guava(quota), RateLimiter::tryAcquire);
      default -> weir(name, quota);
    };
  }

  private static <L> Predicate<String> keyed(Function<String, L> create, Predicate<L> ask) {
    ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
    return key -> {
      L limiter = limiters.get(key);
      return ask.test(limiter != null ? limiter : limiters.computeIfAbsent(key, create));
    };
  }

  private static Predicate<String> weir(String algorithm, Quota quota) {
    dev.weir.RateLimiter limiter = limiter(algorithm, quota);
    return key -> limiter.tryAcquire(key).allowed();
  }

  static dev.weir.RateLimiter limiter(String algorithm, Quota quota) {
    return RateLimiters.create("memory", algorithm, quota, ProviderContext.of("benchmark"));
  }

  private static Bucket bucket(Quota quota) {
    return Bucket.builder()
        .addLimit(
            limit -> limit.capacity(quota.limit()).refillGreedy(quota.limit(), quota.window()))
        .build();
  }

  private static RateLimiterConfig config(Quota quota) {
    return RateLimiterConfig.custom()
        .limitForPeriod(Math.toIntExact(quota.limit()))
        .limitRefreshPeriod(quota.window())
        .timeoutDuration(Duration.ZERO)
        .build();
  }

  private static io.github.resilience4j.ratelimiter.RateLimiter resilience(
      RateLimiterConfig config) {
    return io.github.resilience4j.ratelimiter.RateLimiter.of("benchmark", config);
  }

  private static RateLimiter guava(Quota quota) {
    return RateLimiter.create(quota.limit() * 1e9 / quota.window().toNanos());
  }
}
