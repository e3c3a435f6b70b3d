package dev.weir.memory.internal;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemoryStore;
import java.util.function.BiFunction;

/** What the providers share: the name of the store, and how options follow from a context. */
abstract class MemoryProvider implements RateLimiterProvider {

  private final String algorithm;
  private final BiFunction<Quota, InMemoryOptions, RateLimiter> create;

  MemoryProvider(String algorithm, BiFunction<Quota, InMemoryOptions, RateLimiter> create) {
    this.algorithm = algorithm;
    this.create = create;
  }

  @Override
  public final String algorithm() {
    return algorithm;
  }

  @Override
  public final String store() {
    return "memory";
  }

  @Override
  public final RateLimiter create(Quota quota, ProviderContext context) {
    InMemoryOptions options =
        context
            .find(InMemoryOptions.class)
            .orElse(InMemoryOptions.defaults())
            .withNamespace(context.namespace());
    options = context.clock().map(options::withClock).orElse(options);
    options = context.find(InMemoryStore.class).map(options::withStore).orElse(options);
    return create.apply(quota, options);
  }
}
