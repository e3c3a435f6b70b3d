package dev.weir;

import static dev.weir.VirtualTime.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ObservedRateLimiterTest {

  private static final SlidingWindowPolicy POLICY = SlidingWindowPolicy.of(3, Duration.ofMillis(5));

  private final VirtualTime time = new VirtualTime();
  private final FaultyLimiter limiter = new FaultyLimiter(new LogLimiter(POLICY, time));
  private final List<Object> told = new ArrayList<>();
  private final ObservedRateLimiter observed =
      new ObservedRateLimiter(limiter, new Notebook(told), time);

  /** Writes down what it is told. */
  private record Notebook(List<Object> told) implements RateLimiterListener {
    @Override
    public void onDecision(String key, long permits, Decision decision, long nanos) {
      told.add(List.of(key, permits, decision, nanos));
    }

    @Override
    public void onUnavailable(
        String key, long permits, RateLimiterUnavailableException exception, long nanos) {
      told.add(List.of(key, permits, exception, nanos));
    }
  }

  /** Throws whatever it is told. */
  private record Broken(AssertionError thrown) implements RateLimiterListener {
    @Override
    public void onDecision(String key, long permits, Decision decision, long nanos) {
      throw thrown;
    }

    @Override
    public void onUnavailable(
        String key, long permits, RateLimiterUnavailableException exception, long nanos) {
      throw thrown;
    }
  }

  @Property
  void everyRequestIsAnsweredAsWithoutTheListenerAndToldOnce(
      @ForAll @Size(max = 30) List<@IntRange(max = 15) Integer> requests) {
    LogLimiter plain = new LogLimiter(POLICY, time);
    limiter.reset("a");
    told.clear();
    List<Object> expected = new ArrayList<>();
    for (int request : requests) {
      time.advance(request / 4 * MS);
      long permits = request % 4 + 1;
      Decision decision = plain.tryAcquire("a", permits);
      expected.add(List.of("a", permits, decision, 0L));
      assertThat(
              request % 2 == 0
                  ? observed.tryAcquire("a", permits)
                  : observed.tryAcquireAsync("a", permits).toCompletableFuture().join())
          .isEqualTo(decision);
    }
    assertThat(told).isEqualTo(expected);
  }

  @Test
  void theTimeOfAnAsynchronousRequestEndsWithItsAnswer() {
    limiter.holds = true;
    var decision = observed.tryAcquireAsync("a", 2).toCompletableFuture();
    decision.thenAccept(told::add);
    time.advance(7 * MS);
    assertThat(told).isEmpty();
    limiter.answer();
    assertThat(told).containsExactly(List.of("a", 2L, decision.join(), 7 * MS), decision.join());
  }

  @Test
  void anUnavailableStoreIsToldAndThrown() {
    limiter.failure = FaultyLimiter.unavailable();
    assertThatExceptionOfType(RateLimiterUnavailableException.class)
        .isThrownBy(() -> observed.tryAcquire("a", 2))
        .isSameAs(limiter.failure);
    assertThat(told).containsExactly(List.of("a", 2L, limiter.failure, 0L));
  }

  @Test
  void anUnavailableStoreIsToldAndCompletesTheStageWithTheExceptionItself() {
    limiter.failure = FaultyLimiter.unavailable();
    for (boolean throwsAtOnce : new boolean[] {false, true}) {
      limiter.throwsAtOnce = throwsAtOnce;
      told.clear();
      assertThat(observed.tryAcquireAsync("a", 2).handle((d, e) -> e).toCompletableFuture())
          .isCompletedWithValue(limiter.failure);
      assertThat(told).containsExactly(List.of("a", 2L, limiter.failure, 0L));
    }
  }

  @Test
  void otherFailuresPassUntold() {
    for (Throwable failure :
        List.of(new IllegalStateException("bug"), new CompletionException("bug", null))) {
      limiter.failure = failure;
      assertThatExceptionOfType(failure.getClass())
          .isThrownBy(() -> observed.tryAcquire("a", 1))
          .isSameAs(failure);
      assertThat(observed.tryAcquireAsync("a", 1).handle((d, e) -> e).toCompletableFuture())
          .isCompletedWithValue(failure);
    }
    assertThat(told).isEmpty();
  }

  @Test
  void refusedArgumentsPassUntold() {
    RateLimiter allowing =
        new ObservedRateLimiter(FallbackRateLimiter.allowing(POLICY), new Notebook(told), time);
    assertThatIllegalArgumentException().isThrownBy(() -> allowing.tryAcquire("", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> allowing.tryAcquireAsync("a", 0));
    assertThat(told).isEmpty();
  }

  @Test
  void whatAsksForNothingPassesUntold() {
    observed.tryAcquire("a", 3);
    told.clear();
    assertThat(observed.peek("a", 1)).isEqualTo(limiter.peek("a", 1));
    observed.reset("a");
    assertThat(limiter.peek("a", 3).allowed()).isTrue();
    assertThat(observed.policy()).isSameAs(POLICY);
    assertThat(told).isEmpty();
  }

  @Test
  void aListenerThatThrowsChangesNoDecision() {
    RateLimiter broken =
        new ObservedRateLimiter(limiter, new Broken(new AssertionError("broken")), time);
    assertThat(broken.tryAcquire("a", 2)).isEqualTo(Decision.admitted(3, 1, POLICY.window()));
    assertThat(broken.tryAcquireAsync("a", 1).toCompletableFuture())
        .isCompletedWithValue(Decision.admitted(3, 0, POLICY.window()));
    limiter.failure = FaultyLimiter.unavailable();
    assertThatExceptionOfType(RateLimiterUnavailableException.class)
        .isThrownBy(() -> broken.tryAcquire("a", 1))
        .isSameAs(limiter.failure);
    assertThat(broken.tryAcquireAsync("a", 1).handle((d, e) -> e).toCompletableFuture())
        .isCompletedWithValue(limiter.failure);
  }

  @Test
  void aListenerNeedsNotListenToEverything() {
    RateLimiter quiet = ObservedRateLimiter.of(limiter, new RateLimiterListener() {});
    assertThat(quiet.tryAcquire("a", 1).allowed()).isTrue();
    limiter.failure = FaultyLimiter.unavailable();
    assertThatExceptionOfType(RateLimiterUnavailableException.class)
        .isThrownBy(() -> quiet.tryAcquire("a", 1));
  }

  @Test
  void theTimeOfARequestIsThatOfTheSystem() {
    long start = System.nanoTime();
    ObservedRateLimiter.of(limiter, new Notebook(told)).tryAcquire("a", 1);
    long most = System.nanoTime() - start;
    assertThat((Long) ((List<?>) told.get(0)).get(3)).isBetween(0L, most);
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> ObservedRateLimiter.of(null, new Notebook(told)));
    assertThatNullPointerException().isThrownBy(() -> ObservedRateLimiter.of(limiter, null));
  }
}
