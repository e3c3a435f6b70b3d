package dev.weir.spring;

import static dev.weir.spring.NamedLimiter.checked;
import static dev.weir.spring.NamedLimiter.property;

import dev.weir.FallbackRateLimiter;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import dev.weir.memory.InMemoryStore;
import dev.weir.spring.WeirProperties.OnUnavailable;
import dev.weir.spring.WeirProperties.PolicyProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.redisson.api.RedissonClient;
import org.springframework.util.ClassUtils;

/** Makes the limiters of the policies. */
final class LimiterFactory {

  private static final Log LOG = LogFactory.getLog(LimiterFactory.class);
  private static final String MEMORY = "memory";
  private static final String REDIS = "redis";
  private static final boolean REDISSON_IS_THERE =
      ClassUtils.isPresent(
          "org.redisson.api.RedissonClient", LimiterFactory.class.getClassLoader());

  private final ProviderContext context;
  private final LimiterObserver observer;
  private final boolean redis;
  private final List<String> inMemoryUnasked = new ArrayList<>();

  private LimiterFactory(ProviderContext context, LimiterObserver observer) {
    this.context = context;
    this.observer = observer;
    redis = REDISSON_IS_THERE && Redisson.isIn(context);
  }

  static RateLimiterRegistry registry(
      WeirProperties properties, ProviderContext context, LimiterObserver observer) {
    LimiterFactory factory = new LimiterFactory(context, observer);
    Map<String, NamedLimiter> limiters = new LinkedHashMap<>();
    properties
        .policies()
        .forEach((name, policy) -> limiters.put(name, factory.limiter(name, policy)));
    if (!factory.inMemoryUnasked.isEmpty()) {
      LOG.warn(
          "There is no RedissonClient, so each instance of this application counts in its own memory"
              + " for the policies "
              + factory.inMemoryUnasked
              + ". Define a RedissonClient, or say that this is meant by weir.policies.<name>.store:"
              + " memory");
    }
    return new RateLimiterRegistry(limiters);
  }

  private NamedLimiter limiter(String name, PolicyProperties properties) {
    Quota quota = NamedLimiter.quota(name, properties);
    String store = store(name, properties);
    List<Object> kept = new ArrayList<>();
    RateLimiter primary = create(name, properties, quota, store, kept);
    OnUnavailable action = properties.onUnavailable();
    if (action == OnUnavailable.MEMORY && store.equals(MEMORY)) {
      throw new PropertyException(
          property(name, "on-unavailable")
              + " is memory, must be deny or allow for a policy whose store is memory",
          null);
    }
    RateLimiter limiter =
        switch (action) {
          case DENY -> primary;
          case ALLOW ->
              withFallback(
                  name, properties, store, primary, FallbackRateLimiter.allowing(primary.policy()));
          case MEMORY ->
              withFallback(
                  name, properties, store, primary, create(name, properties, quota, MEMORY, kept));
        };
    return new NamedLimiter(
        NamedLimiter.http(name, properties, limiter),
        properties,
        quota,
        store,
        limiter,
        List.copyOf(kept));
  }

  private String store(String name, PolicyProperties properties) {
    String store = properties.store();
    if (store == null) {
      if (!redis) {
        inMemoryUnasked.add(name);
      }
      return redis ? REDIS : MEMORY;
    }
    if (store.equals(REDIS) && !redis) {
      throw new PropertyException(
          property(name, "store")
              + " is 'redis', for which the application must have a bean of type"
              + " org.redisson.api.RedissonClient",
          null);
    }
    return store;
  }

  private RateLimiter create(
      String name, PolicyProperties properties, Quota quota, String store, List<Object> kept) {
    String algorithm = properties.algorithm();
    checkProvider(name, algorithm, store);
    // Policies in one namespace would be versions of one policy and share their counts.
    ProviderContext own = context.withNamespace(namespace(name));
    if (store.equals(MEMORY)) {
      InMemoryStore memory = own.find(InMemoryStore.class).orElseGet(InMemoryStore::create);
      own = own.with(InMemoryStore.class, memory);
      kept.add(memory);
      observer.watchKeys(memory, namespace(name), algorithm, store);
    }
    ProviderContext resources = own;
    return observer.observe(
        checked(
            property(name, "algorithm"),
            () -> RateLimiters.create(store, algorithm, quota, resources)),
        namespace(name),
        algorithm,
        store);
  }

  private static void checkProvider(String name, String algorithm, String store) {
    List<RateLimiterProvider> providers = RateLimiters.providers();
    List<RateLimiterProvider> ofStore =
        providers.stream().filter(provider -> provider.store().equals(store)).toList();
    if (ofStore.isEmpty()) {
      throw new PropertyException(
          property(name, "store")
              + " is '"
              + store
              + "', must be one of "
              + providers.stream().map(RateLimiterProvider::store).distinct().toList()
              + ", which are on the class path"
              + (store.equals(REDIS)
                  ? ": for Redis add a module such as weir-redis-sliding-window, or set it to memory"
                  : ""),
          null);
    }
    if (ofStore.stream().noneMatch(provider -> provider.algorithm().equals(algorithm))) {
      throw new PropertyException(
          property(name, "algorithm")
              + " is '"
              + algorithm
              + "', must be one of "
              + ofStore.stream().map(RateLimiterProvider::algorithm).toList()
              + ", which are on the class path for the store "
              + store,
          null);
    }
  }

  private String namespace(String policy) {
    return context.namespace() + "." + policy;
  }

  private RateLimiter withFallback(
      String name,
      PolicyProperties properties,
      String store,
      RateLimiter primary,
      RateLimiter fallback) {
    FallbackRateLimiter limiter = FallbackRateLimiter.builder(primary, fallback).build();
    observer.watchFallback(limiter, namespace(name), properties.algorithm(), store);
    return limiter;
  }

  /** Only loaded where Redisson is on the class path. */
  private static final class Redisson {

    private Redisson() {}

    static boolean isIn(ProviderContext context) {
      return context.find(RedissonClient.class).isPresent();
    }
  }
}
