package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.weir.Decision;
import dev.weir.FallbackRateLimiter;
import dev.weir.Policy;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several nodes, each with its share, while the store between them is away. */
class InMemoryShareTest {

  /** A request to one of the nodes, some time after the one before. */
  record Step(int node, long permits, long afterMicros) {}

  /** What some node admitted, and when. */
  record Admission(long micros, long permits) {}

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void allNodesTogetherKeepThePolicyWhileTheStoreIsAway(
      @ForAll Algorithm algorithm,
      @ForAll @IntRange(min = 1, max = 4) int nodes,
      @ForAll @IntRange(min = 4, max = 15) int limit,
      @ForAll("traces") List<Step> trace) {
    VirtualClock clock = VirtualClock.atMidnight();
    Policy policy = policy(algorithm, limit);
    List<RateLimiter> limiters =
        IntStream.range(0, nodes).mapToObj(node -> onNode(policy, nodes, clock)).toList();
    List<Admission> admitted = new ArrayList<>();
    for (Step step : trace) {
      clock.move(step.afterMicros);
      if (limiters.get(step.node % nodes).tryAcquire("key", step.permits).allowed()) {
        admitted.add(new Admission(clock.micros(), step.permits));
      }
    }

    for (int from = 0; from < admitted.size(); from++) {
      long permits = 0;
      for (Admission admission : admitted.subList(from, admitted.size())) {
        permits += admission.permits;
        Duration interval =
            Duration.ofNanos((admission.micros - admitted.get(from).micros + 1) * 1_000);
        assertThat(permits)
            .as("admitted by %d nodes within %s", nodes, interval)
            .isLessThanOrEqualTo(policy.admissionBound(interval));
      }
    }
  }

  @Provide
  Arbitrary<List<Step>> traces() {
    Arbitrary<Long> pauses =
        Arbitraries.of(0L, 1L, 100_000L, 500_000L, 999_999L, 1_000_000L, 3_000_000L);
    return Combinators.combine(
            Arbitraries.integers().between(0, 3), Arbitraries.longs().between(1, 4), pauses)
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeHasItsShareRoundedDownAndTheWindowOfTheWhole(Algorithm algorithm) {
    VirtualClock clock = VirtualClock.atMidnight();
    RateLimiter node = onNode(policy(algorithm, 11), 4, clock);

    Decision decision = node.tryAcquire("key", 2);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.limit()).isEqualTo(2);
    assertThat(decision.remaining()).isZero();
    assertThat(node.tryAcquire("key", 1).allowed()).isFalse();
    clock.advance(decision.resetAfter());
    assertThat(node.tryAcquire("key", 2).allowed()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aNodeAmongMoreNodesThanPermitsHasOne(Algorithm algorithm) {
    RateLimiter node = onNode(policy(algorithm, 3), 100, VirtualClock.atMidnight());

    assertThat(node.tryAcquire("key", 1).allowed()).isTrue();
    assertThat(node.tryAcquire("key", 1).allowed()).isFalse();
  }

  @Test
  void theShareIsTheAlgorithmsOwnAndCarriesTheBurst() {
    Quota quota = Quota.parse("100/1m burst 20");

    for (Algorithm algorithm : Algorithm.values()) {
      RateLimiter whole = algorithm.create(quota, InMemoryOptions.defaults());
      RateLimiter share = algorithm.create(quota.dividedBy(4), InMemoryOptions.defaults());
      assertThat(InMemoryShare.of(whole.policy(), 4))
          .hasSameClassAs(whole)
          .extracting(RateLimiter::policy)
          .isEqualTo(share.policy());
    }
  }

  @Test
  void badArgumentsAreRefused() {
    Policy policy = policy(Algorithm.FIXED_WINDOW, 10);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryShare.of(policy, 0))
        .withMessageContaining("nodes is 0, must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InMemoryShare.of(new Foreign(), 2))
        .withMessageStartingWith("policy is Foreign[], must be a FixedWindowPolicy, ");
    assertThatNullPointerException().isThrownBy(() -> InMemoryShare.of(null, 2));
    assertThatNullPointerException().isThrownBy(() -> InMemoryShare.of(policy, 2, null));
  }

  private static Policy policy(Algorithm algorithm, long limit) {
    return algorithm
        .create(Quota.of(limit, Duration.ofSeconds(1)), InMemoryOptions.defaults())
        .policy();
  }

  private static RateLimiter onNode(Policy policy, int nodes, VirtualClock clock) {
    return FallbackRateLimiter.builder(
            new Away(policy),
            InMemoryShare.of(policy, nodes, InMemoryOptions.defaults().withClock(clock)))
        .build();
  }

  private record Foreign() implements Policy {
    @Override
    public long limit() {
      return 1;
    }

    @Override
    public long admissionBound(Duration interval) {
      return 1;
    }

    @Override
    public Duration life() {
      return Duration.ofSeconds(1);
    }
  }

  /** A limiter whose store gives no answer. */
  private record Away(Policy policy) implements RateLimiter {
    @Override
    public Decision tryAcquire(String key, long permits) {
      throw new RateLimiterUnavailableException("no answer", null);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.failedFuture(new RateLimiterUnavailableException("no answer", null));
    }

    @Override
    public Decision peek(String key, long permits) {
      throw new RateLimiterUnavailableException("no answer", null);
    }

    @Override
    public void reset(String key) {
      throw new RateLimiterUnavailableException("no answer", null);
    }
  }
}
