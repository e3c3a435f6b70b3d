package dev.weir.integration;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.conformance.SlidingWindowCounterConformance;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import java.util.List;
import net.jqwik.api.Group;

/** The rules hold wherever a limiter on Redis may run, with no more than the documented rights. */
class ConformanceTest {

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class FixedWindowOnACluster extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return Site.CLUSTER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowOnACluster extends SlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return Site.CLUSTER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowCounterOnACluster extends SlidingWindowCounterConformance {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return Site.CLUSTER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class TokenBucketOnACluster extends TokenBucketConformance {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return Site.CLUSTER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class FixedWindowWithSentinels extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return Site.SENTINELS.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowWithSentinels extends SlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return Site.SENTINELS.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowCounterWithSentinels extends SlidingWindowCounterConformance {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return Site.SENTINELS.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class TokenBucketWithSentinels extends TokenBucketConformance {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return Site.SENTINELS.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class FixedWindowWithAReplica extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return Site.REPLICATED.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowWithAReplica extends SlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return Site.REPLICATED.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowCounterWithAReplica extends SlidingWindowCounterConformance {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return Site.REPLICATED.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class TokenBucketWithAReplica extends TokenBucketConformance {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return Site.REPLICATED.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class FixedWindowOnOneServer extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      return Site.ONE_SERVER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowOnOneServer extends SlidingWindow {
    @Override
    protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
      return Site.ONE_SERVER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class SlidingWindowCounterOnOneServer extends SlidingWindowCounterConformance {
    @Override
    protected RateLimiter create(SlidingWindowCounterPolicy policy, Fixture fixture) {
      return Site.ONE_SERVER.create(policy, fixture);
    }
  }

  @Group
  @Supports(also = Feature.SHARED_STATE)
  class TokenBucketOnOneServer extends TokenBucketConformance {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return Site.ONE_SERVER.create(policy, fixture);
    }
  }

  /**
   * Without the one policy whose arithmetic takes nine thousand calls: they are the same anywhere.
   */
  abstract static class SlidingWindow extends SlidingWindowConformance {
    @Override
    protected List<SlidingWindowPolicy> policies() {
      return super.policies().stream()
          .filter(policy -> policy.limit() != 999_999_999_999L)
          .toList();
    }
  }
}
