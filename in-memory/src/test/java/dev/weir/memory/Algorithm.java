package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Quota;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import java.time.Duration;

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

  /** How long after its last admission a key is kept at most. */
  Duration retention(InMemoryLimiter<?, ?> limiter) {
    return limiter.policy().life().multipliedBy(this == FIXED_WINDOW ? 2 : 1);
  }

  private static <P> Key key(Model<P> model, P policy) {
    return (permits, now) -> model.ask(policy, permits, now, true);
  }
}
