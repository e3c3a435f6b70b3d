package dev.weir.denialcache;

import dev.weir.RateLimiter;
import dev.weir.conformance.Fixture;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemoryStore;
import java.util.function.Function;

/**
 * What the conformance suite asks of a cache of denials around limiters in memory.
 *
 * <p>None of them declares {@code SHARED_STATE}, for a reset or a higher limit by another limiter
 * is not seen; {@code FAILURES}, for a cached denial is answered without the store; or {@code
 * BOUNDED_STATE}, for Caffeine releases what is over by a wheel that turns about once a second.
 */
final class Fixtures {

  private Fixtures() {}

  static RateLimiter cached(Fixture fixture, Function<InMemoryOptions, RateLimiter> create) {
    InMemoryOptions options =
        InMemoryOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withStore(fixture.shared(InMemoryStore.class, InMemoryStore::create));
    return DenialCachingRateLimiter.builder(create.apply(options)).clock(fixture.clock()).build();
  }
}
