package examples;

import static dev.weir.conformance.Feature.EXACT_RESET_AFTER;
import static dev.weir.conformance.Feature.EXACT_RETRY_AFTER;
import static dev.weir.conformance.Feature.OVERSIZE;
import static dev.weir.conformance.Feature.PEEK;
import static dev.weir.conformance.Feature.REMAINING;
import static dev.weir.conformance.Feature.RESET;
import static dev.weir.conformance.Feature.RESET_AFTER;
import static dev.weir.conformance.Feature.RETRY_AFTER;
import static dev.weir.conformance.Feature.VIRTUAL_TIME;
import static dev.weir.conformance.Feature.WEIGHTS;

import dev.weir.RateLimiter;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.RateLimiterConformance;
import dev.weir.conformance.Supports;
import java.time.Duration;
import java.util.List;

@Supports({
  VIRTUAL_TIME, WEIGHTS, OVERSIZE, REMAINING, RETRY_AFTER, EXACT_RETRY_AFTER, RESET_AFTER, EXACT_RESET_AFTER, PEEK, RESET
})
class LeakyBucketTest extends RateLimiterConformance<LeakyBucketPolicy> {

  @Override
  protected List<LeakyBucketPolicy> policies() {
    return List.of(
        new LeakyBucketPolicy(3, Duration.ofSeconds(1)),
        new LeakyBucketPolicy(1, Duration.ofMillis(7)),
        new LeakyBucketPolicy(1_000, Duration.ofNanos(1_000)));
  }

  @Override
  protected RateLimiter create(LeakyBucketPolicy policy, Fixture fixture) {
    return new LeakyBucket(policy, fixture.clock());
  }
}
