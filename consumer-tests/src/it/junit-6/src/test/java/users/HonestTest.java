package users;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.memory.InMemoryStore;

class HonestTest extends SlidingWindowConformance {
  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    return InMemorySlidingWindow.create(
        policy,
        InMemoryOptions.defaults()
            .withNamespace(fixture.namespace())
            .withClock(fixture.clock())
            .withStore(fixture.shared(InMemoryStore.class, InMemoryStore::create)));
  }
}
