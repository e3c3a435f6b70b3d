package dev.weir.memory;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.conformance.Fixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;

/** What the conformance suite asks of limiters in memory, whatever their algorithm. */
final class Fixtures {

  /** The limiter that was made last in a run; any one can release the keys of all. */
  private static final class Made {
    private InMemoryLimiter<?, ?> last;
  }

  private Fixtures() {}

  static RateLimiter create(
      Fixture fixture, Function<InMemoryOptions, InMemoryLimiter<?, ?>> create) {
    InMemoryLimiter<?, ?> limiter = create.apply(options(fixture));
    fixture.shared(Made.class, Made::new).last = limiter;
    return limiter;
  }

  static List<RateLimiter> allBut(Algorithm algorithm, Fixture fixture) {
    Quota quota = Quota.of(3, Duration.ofSeconds(1));
    return EnumSet.complementOf(EnumSet.of(algorithm)).stream()
        .<RateLimiter>map(other -> other.create(quota, options(fixture)))
        .toList();
  }

  static long retainedKeys(Fixture fixture) {
    InMemoryLimiter<?, ?> limiter = fixture.shared(Made.class, Made::new).last;
    limiter.releaseIdleKeys();
    return limiter.keys();
  }

  private static InMemoryOptions options(Fixture fixture) {
    return InMemoryOptions.defaults()
        .withNamespace(fixture.namespace())
        .withClock(fixture.clock())
        .withStore(fixture.shared(InMemoryStore.class, InMemoryStore::create));
  }
}
