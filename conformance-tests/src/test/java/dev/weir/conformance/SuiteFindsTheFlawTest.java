package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.internal.FixedWindowReference;
import dev.weir.conformance.internal.SlidingWindowReference;
import dev.weir.conformance.mutants.Suites;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule S.1: a fixed window that promises less than twice its limit is caught, a log is not. */
class SuiteFindsTheFlawTest {

  private static final Duration WINDOW = Duration.ofSeconds(1);

  /**
   * The promise that one window's length never sees twice the limit: whatever breaks it is a trace
   * that admits 2 x limit.
   */
  record LessThanTwice(long limit) implements Policy {

    @Override
    public long admissionBound(Duration interval) {
      return interval.compareTo(WINDOW) <= 0 ? 2 * limit - 1 : Long.MAX_VALUE;
    }

    @Override
    public Duration life() {
      return WINDOW;
    }
  }

  /** Limiters judged by that promise. */
  abstract static class JudgedByThePromise extends RateLimiterConformance<LessThanTwice> {
    @Override
    protected List<LessThanTwice> policies() {
      return List.of(new LessThanTwice(2), new LessThanTwice(3), new LessThanTwice(100));
    }
  }

  static final class FixedWindow extends JudgedByThePromise {
    @Override
    protected RateLimiter create(LessThanTwice policy, Fixture fixture) {
      return new FixedWindowReference(
          FixedWindowPolicy.of(policy.limit(), WINDOW), fixture.clock(), new HashMap<>());
    }
  }

  static final class SlidingWindowLog extends JudgedByThePromise {
    @Override
    protected RateLimiter create(LessThanTwice policy, Fixture fixture) {
      return new SlidingWindowReference(
          SlidingWindowPolicy.of(policy.limit(), WINDOW), fixture.clock(), new HashMap<>());
    }
  }

  @Test
  void twiceTheLimitWithinOneWindowIsFoundAndShrunkForTheFixedWindow() {
    for (long seed = 1; seed <= 5; seed++) {
      Violation violation = Suites.run(FixedWindow.class, seed).get(Rule.ADMISSION_BOUND);

      assertThat(violation).isNotNull();
      assertThat(violation.length()).as(violation.getMessage()).isLessThanOrEqualTo(3);
      assertThat(violation.getMessage().replaceAll("\\s+", " "))
          .as("the limit of 2 before a border, and again after it")
          .contains("with this request it is 4");
    }
  }

  @Test
  void noneIsFoundForTheSlidingWindowLog() {
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(Suites.run(SlidingWindowLog.class, seed)).isEmpty();
    }
  }
}
