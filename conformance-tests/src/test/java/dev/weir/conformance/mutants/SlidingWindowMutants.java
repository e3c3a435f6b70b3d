package dev.weir.conformance.mutants;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Fixture;
import java.util.List;

/** Sliding window logs with one fault each. */
final class SlidingWindowMutants {

  private SlidingWindowMutants() {}

  @Seen("cases 39 to 41: sockudo#251, rolling-rate-limiter#11, llmgateway#1656")
  static final class TimeIsTheMember extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        List<Entry> with(List<Entry> log, long at, long permits) {
          List<Entry> others = log.stream().filter(entry -> entry.time() != at).toList();
          return super.with(others, at, permits);
        }
      };
    }
  }

  @Seen("the issue's list: running totals without the base that they are counted from")
  static final class DropsTheBase extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        List<Entry> live(List<Entry> log, long at) {
          List<Entry> live = super.live(log, at);
          // What was trimmed was the base; now the oldest total that is left is taken for it.
          boolean trimmed = live.size() < log.size() && !live.isEmpty();
          return trimmed ? live.subList(1, live.size()) : live;
        }
      };
    }
  }

  @Seen("case 43: shenyu#6754")
  static final class CountsTheEdge extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        boolean counts(long time, long at) {
          return time >= at - life;
        }

        @Override
        long retry(List<Entry> log, long used, long permits) {
          return super.retry(log, used, permits) + 1;
        }

        @Override
        long reset(List<Entry> log, long now) {
          return super.reset(log, now) + 1;
        }

        @Override
        long until(List<Entry> log) {
          return super.until(log) + 1;
        }
      };
    }
  }

  @Seen("the issue's list: < and <= at the edge, the other way")
  static final class DropsBeforeTheEdge extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        boolean counts(long time, long at) {
          return time > at - life + 1;
        }
      };
    }
  }

  @Seen("case 81: Redisson")
  static final class WaitsForTheOldestOnly extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        long retry(List<Entry> log, long used, long permits) {
          return log.get(0).time() + life;
        }
      };
    }
  }

  @Seen("cases 64 and 65: Redisson, sums beyond what a number holds")
  static final class KeepsTotalsWithoutTheModulus extends MutantSlidingWindow {

    /** What a double makes of the sum of all permits so far. */
    private static final class Total {
      private double value;
    }

    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      Total total = fixture.shared(Total.class, Total::new);
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        List<Entry> with(List<Entry> log, long at, long permits) {
          double before = total.value;
          total.value += permits;
          return super.with(log, at, (long) (total.value - before));
        }
      };
    }
  }

  @Seen("case 47, in the form of a log that takes denied requests in")
  static final class LogsDenials extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        void denied(String key, List<Entry> log, long at, long permits) {
          put(key, with(log, at, Math.min(permits, limit)));
        }

        @Override
        long used(List<Entry> log) {
          return Math.min(limit, super.used(log));
        }
      };
    }
  }

  @Seen("cases 11 and 19: a TTL counted from now instead of from the last permit")
  static final class ResetsAWindowFromNow extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        long reset(List<Entry> log, long now) {
          return life;
        }
      };
    }
  }

  @Seen("case 31: clj-rate-limiter#4, a clock that lags deletes what is newer")
  static final class ForgetsTheFuture extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        List<Entry> get(String key, long now) {
          List<Entry> log = super.get(key, now);
          return log == null ? null : log.stream().filter(e -> e.time() <= now).toList();
        }
      };
    }
  }

  @Seen("case 34: Redisson, a client whose clock runs ahead locks the others out")
  static final class NeverRebases extends MutantSlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return new SlidingWindowSkeleton(policy, fixture) {
        @Override
        List<Entry> rebased(List<Entry> log, long now) {
          return log;
        }
      };
    }
  }
}
