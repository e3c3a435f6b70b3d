package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Providers of a third party, on a store of theirs, with the faults that a comparison shows. */
final class ForeignProviders {

  static final String STORE = "foreign";

  private ForeignProviders() {}

  /** Admits a key every two seconds and tells one second. */
  public static final class Liar extends Gap {
    public Liar() {
      super("liar", Duration.ofSeconds(2), Duration.ofSeconds(1));
    }
  }

  /** Admits a key every second and tells two. */
  public static final class Dawdler extends Gap {
    public Dawdler() {
      super("dawdler", Duration.ofSeconds(1), Duration.ofSeconds(2));
    }
  }

  /** The fixed window of memory, but for what remains after the third decision. */
  public static final class AlmostFixedWindow implements RateLimiterProvider {

    public AlmostFixedWindow() {}

    @Override
    public String algorithm() {
      return "fixed-window";
    }

    @Override
    public String store() {
      return STORE;
    }

    @Override
    public RateLimiter create(Quota quota, ProviderContext context) {
      RateLimiter right = RateLimiters.create("memory", algorithm(), quota, context);
      return new Blocking(right.policy()) {
        private int decisions;

        @Override
        public Decision tryAcquire(String key, long permits) {
          Decision decision = right.tryAcquire(key, permits);
          return ++decisions == 3
              ? Decision.admitted(decision.limit(), 0, decision.resetAfter())
              : decision;
        }

        @Override
        public Decision peek(String key, long permits) {
          return right.peek(key, permits);
        }

        @Override
        public void reset(String key) {
          right.reset(key);
        }
      };
    }
  }

  private abstract static class Gap implements RateLimiterProvider {

    private final String algorithm;
    private final Duration gap;
    private final Duration told;

    Gap(String algorithm, Duration gap, Duration told) {
      this.algorithm = algorithm;
      this.gap = gap;
      this.told = told;
    }

    @Override
    public String algorithm() {
      return algorithm;
    }

    @Override
    public String store() {
      return STORE;
    }

    @Override
    public RateLimiter create(Quota quota, ProviderContext context) {
      InstantSource clock = context.clock().orElseThrow();
      Map<String, Instant> last = new HashMap<>();
      return new Blocking(FixedWindowPolicy.of(quota)) {
        @Override
        public Decision tryAcquire(String key, long permits) {
          Decision decision = peek(key, permits);
          if (decision.allowed()) {
            last.put(key, clock.instant());
          }
          return decision;
        }

        @Override
        public Decision peek(String key, long permits) {
          Instant then = last.get(key);
          if (permits > quota.limit()) {
            return Decision.denied(quota.limit(), 0, Decision.NEVER, Duration.ZERO);
          }
          return then == null || !clock.instant().isBefore(then.plus(gap))
              ? Decision.admitted(quota.limit(), 0, gap)
              : Decision.denied(quota.limit(), 0, told, gap);
        }

        @Override
        public void reset(String key) {
          last.remove(key);
        }
      };
    }
  }

  private abstract static class Blocking implements RateLimiter {

    private final Policy policy;

    Blocking(Policy policy) {
      this.policy = policy;
    }

    @Override
    public Policy policy() {
      return policy;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedStage(tryAcquire(key, permits));
    }
  }
}
