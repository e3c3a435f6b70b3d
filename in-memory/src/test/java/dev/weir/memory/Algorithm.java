package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Fixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/** The limiters of this module, for tests of what holds for each of them. */
enum Algorithm {
  FIXED_WINDOW {
    @Override
    InMemoryLimiter<?, ?> create(Quota quota, InMemoryOptions options) {
      return InMemoryFixedWindow.create(FixedWindowPolicy.of(quota), options);
    }

    @Override
    Key newKey(Quota quota) {
      return key(new Model.FixedWindow(), FixedWindowPolicy.of(quota));
    }
  },
  SLIDING_WINDOW_LOG {
    @Override
    InMemoryLimiter<?, ?> create(Quota quota, InMemoryOptions options) {
      return InMemorySlidingWindow.create(SlidingWindowPolicy.of(quota), options);
    }

    @Override
    Key newKey(Quota quota) {
      return key(new Model.SlidingWindowLog(), SlidingWindowPolicy.of(quota));
    }
  },
  SLIDING_WINDOW_COUNTER {
    @Override
    InMemoryLimiter<?, ?> create(Quota quota, InMemoryOptions options) {
      return InMemorySlidingWindowCounter.create(SlidingWindowCounterPolicy.of(quota), options);
    }

    @Override
    Key newKey(Quota quota) {
      return key(new Model.SlidingWindowCounter(), SlidingWindowCounterPolicy.of(quota));
    }
  },
  TOKEN_BUCKET {
    @Override
    InMemoryLimiter<?, ?> create(Quota quota, InMemoryOptions options) {
      return InMemoryTokenBucket.create(TokenBucketPolicy.of(quota), options);
    }

    @Override
    Key newKey(Quota quota) {
      return key(new Model.TokenBucket(), TokenBucketPolicy.of(quota));
    }
  };

  /** A key in the plain model of the algorithm, under one policy. */
  interface Key {
    Decision tryAcquire(long permits, long now);
  }

  abstract InMemoryLimiter<?, ?> create(Quota quota, InMemoryOptions options);

  abstract Key newKey(Quota quota);

  /** Options of the limiters that the conformance suite makes with one fixture. */
  static InMemoryOptions options(Fixture fixture) {
    return InMemoryOptions.defaults()
        .withNamespace(fixture.namespace())
        .withClock(fixture.clock())
        .withStore(fixture.shared(InMemoryStore.class, InMemoryStore::create));
  }

  static List<RateLimiter> allBut(Algorithm algorithm, Fixture fixture) {
    return EnumSet.complementOf(EnumSet.of(algorithm)).stream()
        .<RateLimiter>map(
            other -> other.create(Quota.of(3, Duration.ofSeconds(1)), options(fixture)))
        .toList();
  }

  private static <P> Key key(Model<P> model, P policy) {
    return (permits, now) -> model.ask(policy, permits, now, true);
  }
}
