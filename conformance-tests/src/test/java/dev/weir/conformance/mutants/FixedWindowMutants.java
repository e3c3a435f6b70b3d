package dev.weir.conformance.mutants;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.conformance.Fixture;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Fixed windows with one fault each. */
final class FixedWindowMutants {

  private FixedWindowMutants() {}

  @Seen("cases 50 and 68: upstash, limits, throttled-py, rate-limiter-flexible")
  static final class CountsDenials extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        void denied(String key, long at, long used, long permits) {
          put(key, new Window(at, used + Math.min(permits, limit)));
        }
      };
    }
  }

  @Seen("case 49: upstash sliding window")
  static final class ChecksWithoutTheWeight extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        boolean admits(long used, long permits) {
          return permits <= limit && used < limit;
        }
      };
    }
  }

  @Seen("case 51: limits#112")
  static final class ChargesOneForAnyWeight extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long charge(long permits) {
          return 1;
        }
      };
    }
  }

  @Seen("cases 55 and 56: guava#7130, Resilience4j")
  static final class AdmitsOnceWhatExceedsTheLimit extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        boolean admits(long used, long permits) {
          return super.admits(used, permits) || used == 0;
        }

        @Override
        long charge(long permits) {
          return Math.min(permits, limit);
        }
      };
    }
  }

  @Seen("the issue's list: a fixed window that re-bases into the window of now")
  static final class RebasesIntoTheCurrentWindow extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        Window rebased(Window window, long now) {
          return new Window(now, window.count());
        }
      };
    }
  }

  @Seen("case 11: shenyu#6649, EXPIRE on every INCR")
  static final class RestartsTheWindowOnEveryHit extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        Decision decide(String key, long permits, long now, boolean take) {
          Window window = get(key, now);
          long used = window == null ? 0 : window.count();
          boolean allowed = permits <= limit - used;
          used += allowed ? permits : 0;
          if (take && used > 0) {
            put(key, new Window(Math.max(now, window == null ? now : window.last()), used));
          }
          return answer(allowed, limit - used, permits > limit ? NEVER : life, used > 0 ? life : 0);
        }

        @Override
        long until(Window window) {
          return window.last() + life;
        }
      };
    }
  }

  @Seen("cases 76 and 77: ulule#94, redis#14826, a wait rounded down to whole seconds")
  static final class RoundsTheWaitDown extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long retry(long end, long now) {
          return (end - now) / 1_000_000 * 1_000_000;
        }
      };
    }
  }

  @Seen("design.md part 1: the best known copy tells every refused client to wait the window")
  static final class TellsTheWholeWindow extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long retry(long end, long now) {
          return life;
        }
      };
    }
  }

  @Seen("case 54: redis_rate")
  static final class TellsAWaitForTheImpossible extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        Decision answer(boolean allowed, long remaining, long retry, long reset) {
          return super.answer(allowed, remaining, retry == NEVER ? life : retry, reset);
        }
      };
    }
  }

  @Seen("case 82: redis_rate")
  static final class TellsOneTooFew extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long remaining(long used) {
          return Math.max(0, limit - used - 1);
        }
      };
    }
  }

  @Seen("case 24: spring-cloud-gateway#1312, the limit is that of who came first")
  static final class KeepsTheLimitOfTheFirst extends MutantFixedWindow {

    /** The limit that was in force first. */
    private static final class FirstLimit {
      private long value;
    }

    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      FirstLimit first = fixture.shared(FirstLimit.class, FirstLimit::new);
      first.value = first.value == 0 ? policy.limit() : first.value;
      return new FixedWindowSkeleton(FixedWindowPolicy.of(first.value, policy.window()), fixture);
    }
  }

  @Seen("case 71: limits, identifiers that become the same key")
  static final class FoldsKeys extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        String name(String key) {
          return super.name(key.toLowerCase(Locale.ROOT));
        }
      };
    }
  }

  @Seen("case 71: limits, parts joined by a separator that they may contain")
  static final class JoinsNamespaceAndKey extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        String name(String key) {
          return fixture.namespace() + ':' + key;
        }
      };
    }
  }

  @Seen("case 70: fastapi-limiter#8, two things limited by one counter")
  static final class KeepsOneCounter extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        String name(String key) {
          return super.name("all");
        }
      };
    }
  }

  @Seen("case 57: Resilience4j, Redisson, spring-cloud-gateway")
  static final class TakesNegativePermits extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        void check(String key, long permits) {
          super.check(key, 1);
        }

        @Override
        long remaining(long used) {
          return Math.min(limit, super.remaining(used));
        }
      };
    }
  }

  @Seen("cases 3, 4 and 42: commands that interleave")
  static final class ReadsThenWrites extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        <T> T ask(Supplier<T> work) {
          return store.call(work);
        }

        @Override
        long charge(long permits) {
          // Only where there are other threads: on a busy machine a yield is long.
          if (Thread.currentThread().getName().equals("conformance")) {
            for (int i = 0; i < 10; i++) {
              Thread.yield();
            }
          }
          return permits;
        }
      };
    }
  }

  @Seen("case 94: a counter kept beside the one source of truth")
  static final class CachesInTheLimiter extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      Map<String, FixedWindowSkeleton.Window> cache = new HashMap<>();
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        Window get(String key, long now) {
          return cache.computeIfAbsent(key, absent -> super.get(key, now));
        }

        @Override
        void put(String key, Window window) {
          super.put(key, window);
          cache.put(key, window);
        }

        @Override
        public void reset(String key) {
          super.reset(key);
          cache.remove(key);
        }
      };
    }
  }

  @Seen("cases 27 and 39: rate-limiter-flexible and sockudo#251, time in seconds")
  static final class CountsInSeconds extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long now() {
          return super.now() / 1_000_000 * 1_000_000;
        }
      };
    }
  }

  @Seen("cases 1 to 4, 21 and 22: a TTL that is never set")
  static final class NeverReleases extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long until(Window window) {
          return Long.MAX_VALUE;
        }
      };
    }
  }

  @Seen("cases 15 and 17: redisson#6216, PostHog#89726, a TTL below the window")
  static final class ExpiresTooEarly extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        long until(Window window) {
          return window.last() + life / 3;
        }
      };
    }
  }

  @Seen("case 25: spring-cloud-gateway, an error of the store is caught and admits")
  static final class AdmitsWhenTheStoreFails extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        public Decision tryAcquire(String key, long permits) {
          try {
            return super.tryAcquire(key, permits);
          } catch (RateLimiterUnavailableException e) {
            return answer(true, 0, 0, 0);
          }
        }
      };
    }
  }

  @Seen("design.md part 7: Redisson sends a script again, 4 charges for one call")
  static final class SendsAgain extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        <T> T ask(Supplier<T> work) {
          try {
            return super.ask(work);
          } catch (RateLimiterUnavailableException e) {
            return super.ask(work);
          }
        }
      };
    }
  }

  @Seen("case 47, in the form of a peek that takes")
  static final class PeekTakes extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        public Decision peek(String key, long permits) {
          return tryAcquire(key, permits);
        }
      };
    }
  }

  @Seen("cases 12 and 13: redisson#4007, an operation that reaches one of several keys")
  static final class ResetForgetsTheCountOnly extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        public void reset(String key) {
          check(key, 1);
          ask(
              () -> {
                Window window = get(key, now());
                if (window != null) {
                  put(key, new Window(window.last(), Math.min(window.count(), 1)));
                }
                return key;
              });
        }
      };
    }
  }

  @Seen("case 57: a bad argument found only by the asynchronous call")
  static final class RefusesLate extends MutantFixedWindow {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return new FixedWindowSkeleton(policy, fixture) {
        @Override
        public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
          return CompletableFuture.supplyAsync(() -> tryAcquire(key, permits), Runnable::run);
        }
      };
    }
  }
}
