package dev.weir.conformance.mutants;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.conformance.Fixture;

/** Sliding window counters with one fault each. */
final class SlidingWindowCounterMutants {

  private SlidingWindowCounterMutants() {}

  @Seen("the issue's list: the weight ignored, so that the previous window counts in full")
  static final class CountsThePreviousWindowInFull extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long weighted(long count, long overlap) {
          return count;
        }
      };
    }
  }

  @Seen("the weight ignored the other way: a fixed window by another name")
  static final class ForgetsThePreviousWindow extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long weighted(long count, long overlap) {
          return 0;
        }
      };
    }
  }

  @Seen("the issue's list: the floor of the estimate")
  static final class RoundsTheEstimateDown extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long weighted(long count, long overlap) {
          return parts(count, overlap)[0].longValueExact();
        }
      };
    }
  }

  @Seen("the issue's list: what is two windows old still counts")
  static final class CountsTheWindowBeforeThePrevious extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long previous(long current, long windows) {
          return windows <= 2 ? current : 0;
        }
      };
    }
  }

  @Seen("case 32: symfony#40141, a previous window far in the past")
  static final class WeighsNegatively extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        Counts at(Counts counts, long time) {
          Counts seen = super.at(counts, time);
          boolean longGone = time > border(counts) + window;
          return longGone ? new Counts(time, 0, -counts.current()) : seen;
        }
      };
    }
  }

  @Seen("case 17: PostHog#89726, keys that live for one window")
  static final class LivesForOneWindow extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long until(Counts counts) {
          return counts.time() + window;
        }
      };
    }
  }

  @Seen("a re-base that moves both counts instead of the estimate")
  static final class RebasesTheCountsAsTheyAre extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        Counts rebased(Counts counts, long now) {
          return new Counts(now, counts.previous(), counts.current());
        }
      };
    }
  }

  @Seen("case 72: symfony#40289, a wait to the end of the window")
  static final class TellsToWaitForTheBorder extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long retry(Counts counts, long permits) {
          return border(counts);
        }
      };
    }
  }

  @Seen("a reset at the end of the window, as of a fixed one")
  static final class IsAsNewAtTheBorder extends MutantSlidingWindowCounter {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return new SlidingWindowCounterSkeleton(policy, fixture) {
        @Override
        long reset(Counts counts) {
          return border(counts);
        }
      };
    }
  }
}
