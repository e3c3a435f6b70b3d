package users;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.FixedWindowConformance;
import dev.weir.conformance.Supports;

@Supports({Feature.VIRTUAL_TIME, Feature.WEIGHTS})
class CountsDenialsTest extends FixedWindowConformance {
  @Override
  protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    return new CountsDenials(policy, fixture.clock());
  }
}
