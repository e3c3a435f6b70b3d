package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.internal.Features;
import dev.weir.conformance.internal.FixedWindowReference;
import dev.weir.conformance.mutants.Suites;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What is not declared is skipped, and what is declared is checked. */
class FeatureTest {

  /** A limiter without peek. */
  private abstract static class WithoutPeek extends FixedWindowConformance {
    @Override
    protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
      RateLimiter limiter = new FixedWindowReference(policy, fixture.clock(), new HashMap<>());
      return new RateLimiter() {
        @Override
        public FixedWindowPolicy policy() {
          return policy;
        }

        @Override
        public Decision tryAcquire(String key, long permits) {
          return limiter.tryAcquire(key, permits);
        }

        @Override
        public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
          return limiter.tryAcquireAsync(key, permits);
        }

        @Override
        public Decision peek(String key, long permits) {
          throw new UnsupportedOperationException("no peek");
        }

        @Override
        public void reset(String key) {
          limiter.reset(key);
        }
      };
    }
  }

  @Supports
  static final class DeclaresPeek extends WithoutPeek {}

  @Supports(except = Feature.PEEK)
  static final class DeclaresNoPeek extends WithoutPeek {}

  @Supports({Feature.VIRTUAL_TIME, Feature.WEIGHTS})
  static final class DeclaresLittle extends WithoutPeek {}

  @Test
  void whatIsDeclaredAndBrokenFails() {
    Map<Rule, Violation> violations = Suites.run(DeclaresPeek.class, 1);
    assertThat(violations).containsOnlyKeys(Rule.PEEK_AND_RESET, Rule.FIXED_WINDOW_MODEL);
    assertThat(violations.get(Rule.PEEK_AND_RESET))
        .hasMessageContaining("threw java.lang.UnsupportedOperationException: no peek");
  }

  @Test
  void whatIsNotDeclaredIsLeftOutOfTheOtherRules() {
    assertThat(Suites.run(DeclaresNoPeek.class, 1)).isEmpty();
  }

  @Test
  void whatIsNotDeclaredIsSkippedWithTheReason() {
    EngineExecutionResults results =
        EngineTestKit.engine("jqwik")
            .selectors(selectClass(DeclaresLittle.class))
            .configurationParameter("jqwik.database", "")
            .execute();

    assertThat(results.testEvents().failed().count()).isZero();
    assertThat(results.testEvents().skipped().list())
        .areAtLeastOne(
            event(
                skippedWithReason(
                    "the limiter does not declare SHARED_STATE (shares state between limiters of"
                        + " one store and namespace)")))
        .areAtLeastOne(
            event(
                skippedWithReason(
                    "the limiter does not declare PEEK (answers without taking) or RESET (forgets a"
                        + " key on demand)")));
    assertThat(results.testEvents().skipped().count()).isGreaterThan(10);
  }

  @Test
  void aDeclarationAddsToTheStandardAndTakesFromIt() {
    @Supports(also = Feature.SHARED_STATE, except = Feature.RESET)
    class Changed {}

    assertThat(Features.of(Changed.class))
        .contains(Feature.SHARED_STATE, Feature.PEEK)
        .doesNotContain(Feature.RESET, Feature.FAILURES);
  }

  @Test
  void aDeclarationReplacesThatOfTheSuperclass() {
    assertThat(Features.of(DeclaresLittle.class))
        .containsExactlyInAnyOrder(Feature.VIRTUAL_TIME, Feature.WEIGHTS);
  }
}
