package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.FallbackRateLimiter;
import dev.weir.ObservedRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterListener;
import dev.weir.RateLimiterUnavailableException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The meters of one limiter: how many requests it admitted, denied and had no answer for, and how
 * long a decision took.
 *
 * <p>Every meter has the tags {@code namespace}, {@code algorithm} and {@code store}. None has a
 * tag of a key: clients choose keys, and with one meter for each they would fill the memory.
 *
 * <ul>
 *   <li>{@code weir.requests}, a counter with the further tag {@code outcome}, which is {@code
 *       admitted}, {@code denied} or {@code unavailable};
 *   <li>{@code weir.decision}, a timer from a request to its decision; requests that got none are
 *       not in it;
 *   <li>{@code weir.keys}, a gauge of the keys that have a state in memory, if {@link #watchKeys}
 *       is called;
 *   <li>{@code weir.fallback.open}, a gauge that is 1 while the fallback decides and 0 otherwise,
 *       if {@link #watchFallback} is called.
 * </ul>
 *
 * <p>The first two are there from the start, with zeros. Two objects with the same tags on one
 * registry count on the same meters. Methods do not block; safe for use by any number of threads.
 */
public final class RateLimiterMeters implements RateLimiterListener {

  private final MeterRegistry registry;
  private final Tags tags;
  private final Counter admitted;
  private final Counter denied;
  private final Counter unavailable;
  private final Timer decision;

  private RateLimiterMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    admitted = requests("admitted");
    denied = requests("denied");
    unavailable = requests("unavailable");
    decision =
        Timer.builder("weir.decision")
            .description("Time from a request to its decision")
            .tags(tags)
            .register(registry);
  }

  /**
   * Returns the meters of a limiter.
   *
   * @param registry where the meters are registered
   * @param namespace the limiter's namespace, not empty
   * @param algorithm the name of its algorithm, such as {@code sliding-window}, not empty
   * @param store the name of its store, such as {@code redis}, not empty
   * @return the meters
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code namespace}, {@code algorithm} or {@code store} is
   *     empty, or if the registry has meters of these names with other tags and refuses that
   */
  public static RateLimiterMeters of(
      MeterRegistry registry, String namespace, String algorithm, String store) {
    Objects.requireNonNull(registry, "registry");
    return new RateLimiterMeters(
        registry,
        Tags.of(
            "namespace",
            checkTag("namespace", namespace),
            "algorithm",
            checkTag("algorithm", algorithm),
            "store",
            checkTag("store", store)));
  }

  private static String checkTag(String name, String value) {
    Objects.requireNonNull(value, name);
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty, must have at least 1 character");
    }
    return value;
  }

  /**
   * Returns a limiter that answers like the given one and counts on these meters: {@link
   * ObservedRateLimiter#of ObservedRateLimiter.of}{@code (limiter, this)}.
   *
   * @param limiter what decides
   * @return a new decorator
   * @throws NullPointerException if {@code limiter} is null
   */
  public RateLimiter observe(RateLimiter limiter) {
    return ObservedRateLimiter.of(limiter, this);
  }

  /**
   * Adds the gauge {@code weir.keys}. The registry does not keep the source alive; when it is gone,
   * the gauge is not a number. A second gauge with the same tags is ignored.
   *
   * @param source a limiter or a store in memory; limiters do not keep their store alive either
   * @param keys how many keys it has, such as {@code InMemoryStore::keys}
   * @param <T> the type of the source
   * @return these meters
   * @throws NullPointerException if an argument is null
   */
  public <T> RateLimiterMeters watchKeys(T source, ToLongFunction<? super T> keys) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(keys, "keys");
    Gauge.builder("weir.keys", source, keys::applyAsLong)
        .description("Keys that have a state in memory")
        .tags(tags)
        .register(registry);
    return this;
  }

  /**
   * Adds the gauge {@code weir.fallback.open}. The registry does not keep the limiter alive; when
   * it is gone, the gauge is not a number. A second gauge with the same tags is ignored.
   *
   * @param limiter the limiter whose state is told
   * @return these meters
   * @throws NullPointerException if {@code limiter} is null
   */
  public RateLimiterMeters watchFallback(FallbackRateLimiter limiter) {
    Objects.requireNonNull(limiter, "limiter");
    Gauge.builder("weir.fallback.open", limiter, fallback -> fallback.isOpen() ? 1 : 0)
        .description("1 while the fallback decides, 0 while the store does")
        .tags(tags)
        .register(registry);
    return this;
  }

  @Override
  public void onDecision(String key, long permits, Decision decision, long nanos) {
    (decision.allowed() ? admitted : denied).increment();
    this.decision.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void onUnavailable(
      String key, long permits, RateLimiterUnavailableException exception, long nanos) {
    unavailable.increment();
  }

  private Counter requests(String outcome) {
    return Counter.builder("weir.requests")
        .description("Requests to a rate limiter")
        .tags(tags)
        .tag("outcome", outcome)
        .register(registry);
  }
}
