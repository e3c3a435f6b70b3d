package dev.weir;

import static dev.weir.VirtualTime.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WaitingRateLimiterTest {

  private static final SlidingWindowPolicy POLICY =
      SlidingWindowPolicy.of(3, Duration.ofMillis(10));

  private final VirtualTime time = new VirtualTime();
  private final LogLimiter log = new LogLimiter(POLICY, time);
  private final FaultyLimiter limiter = new FaultyLimiter(log);
  private final WaitingRateLimiter waiting = new WaitingRateLimiter(limiter, time, time);

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private CompletableFuture<Decision> acquire(long permits, long maxWaitMillis) {
    return waiting.acquireAsync("a", permits, ms(maxWaitMillis));
  }

  private static Throwable failureOf(CompletableFuture<Decision> future) {
    assertThat(future).isCompletedExceptionally();
    return future.handle((decision, failure) -> failure).join();
  }

  /** Takes permits from the store without the decorator, and without a trace in the calls. */
  private void takenByOthers(long permits) {
    assertThat(log.tryAcquire("a", permits).allowed()).isTrue();
  }

  private void assertNothingIsLeft() {
    assertThat(waiting.keys()).isZero();
    assertThat(time.tasks()).isZero();
  }

  // --- against a plain simulation -------------------------------------------------------------

  /** What a test does after so many milliseconds: acquires, or cancels what it did before. */
  private record Step(int pause, int key, int permits, int maxWait, int cancelled) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(0, 30),
            Arbitraries.integers().between(-8, 8))
        .as(Step::new)
        .withoutEdgeCases() // there would be more of them than tries
        .list()
        .ofMaxSize(40);
  }

  private record Outcome(long at, boolean allowed, Duration retryAfter) {
    static final Outcome CANCELLED = new Outcome(0, false, Duration.ZERO);
  }

  /**
   * The rules of waiting, millisecond by millisecond: the head asks all the time, which is the same
   * as asking when it was told to, for a denial changes nothing and its wait is exact.
   */
  private final class Simulation {
    private record Caller(int number, long permits, long deadline) {}

    private final LogLimiter store = new LogLimiter(POLICY, time);
    private final List<List<Caller>> queues = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<Outcome> outcomes = new ArrayList<>();

    private void end(Caller caller, boolean allowed, Duration retryAfter) {
      outcomes.set(caller.number, new Outcome(time.elapsed(), allowed, retryAfter));
    }

    void acquire(int key, long permits, int maxWait) {
      Caller caller = new Caller(outcomes.size(), permits, time.elapsed() + maxWait * MS);
      outcomes.add(null);
      List<Caller> queue = queues.get(key);
      if (permits > POLICY.limit()) {
        end(caller, false, Decision.NEVER);
      } else {
        queue.add(caller);
        go(key);
      }
    }

    void cancel(int number) {
      for (int key = 0; key < queues.size(); key++) {
        if (queues.get(key).removeIf(caller -> caller.number == number)) {
          outcomes.set(number, Outcome.CANCELLED);
          go(key);
        }
      }
    }

    void go(int key) {
      List<Caller> queue = queues.get(key);
      while (!queue.isEmpty()) {
        Caller head = queue.get(0);
        Decision decision = store.tryAcquire("key" + key, head.permits);
        long next = time.elapsed() + decision.retryAfter().toNanos();
        if (decision.allowed() || next > head.deadline) {
          end(head, decision.allowed(), decision.retryAfter());
          queue.remove(head);
        } else {
          for (Caller caller : List.copyOf(queue)) {
            if (caller.deadline < next) {
              end(caller, false, decision.retryAfter());
              queue.remove(caller);
            }
          }
          return;
        }
      }
    }
  }

  @Property
  void everyCallerEndsAsAndWhenTheRulesSay(@ForAll("steps") List<Step> steps) {
    WaitingRateLimiter tested = new WaitingRateLimiter(new LogLimiter(POLICY, time), time, time);
    Simulation simulation = new Simulation();
    List<CompletableFuture<Decision>> futures = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    for (Step step : steps) {
      for (int i = 0; i < step.pause; i++) {
        time.advance(MS);
        simulation.go(0);
        simulation.go(1);
      }
      if (step.cancelled >= 0 && step.cancelled < futures.size()) {
        futures.get(futures.size() - 1 - step.cancelled).cancel(false);
        simulation.cancel(futures.size() - 1 - step.cancelled);
      }
      int number = futures.size();
      outcomes.add(null);
      futures.add(tested.acquireAsync("key" + step.key, step.permits, ms(step.maxWait)));
      futures
          .get(number)
          .whenComplete(
              (decision, failure) ->
                  outcomes.set(
                      number,
                      failure == null
                          ? new Outcome(time.elapsed(), decision.allowed(), decision.retryAfter())
                          : Outcome.CANCELLED));
      simulation.acquire(step.key, step.permits, step.maxWait);
      assertThat(outcomes).isEqualTo(simulation.outcomes);
    }
    for (int i = 0; i < 40; i++) {
      time.advance(MS);
      simulation.go(0);
      simulation.go(1);
    }
    assertThat(outcomes).isEqualTo(simulation.outcomes).doesNotContainNull();
    assertThat(tested.keys()).isZero();
    assertThat(time.tasks()).isZero();
  }

  // --- a store that answers late --------------------------------------------------------------

  /** Answers after a while, sees the request in the middle of it, and sometimes fails. */
  private final class SlowLimiter implements RateLimiter {
    private final SlidingWindowPolicy policy = SlidingWindowPolicy.of(40, ms(10));
    private final LogLimiter store = new LogLimiter(policy, time);
    private final List<Integer> delays;
    private final List<Long> requests = new ArrayList<>();
    private final List<Integer> failed = new ArrayList<>();
    private boolean busy;

    SlowLimiter(List<Integer> delays) {
      this.delays = delays;
    }

    @Override
    public Policy policy() {
      return policy;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      assertThat(busy).as("a second request of the key is with the limiter").isFalse();
      busy = true;
      int delay = delays.get(requests.size() % delays.size());
      requests.add(permits);
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      Runnable reply =
          () -> {
            busy = false;
            if (delay % 5 == 4) {
              failed.add((int) permits);
              answer.completeExceptionally(FaultyLimiter.unavailable());
            } else {
              answer.complete(store.tryAcquire(key, permits));
            }
          };
      if (delay == 0) {
        reply.run();
      } else {
        time.schedule(reply, delay * MS / 2);
      }
      return answer;
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      throw new AssertionError("only asynchronous requests are made");
    }

    @Override
    public Decision peek(String key, long permits) {
      throw new AssertionError("nobody peeks");
    }

    @Override
    public void reset(String key) {
      throw new AssertionError("nobody resets");
    }
  }

  @Property
  void withASlowStoreOneRequestIsMadeAtATimeInTheOrderOfTheCallsAndNobodyBehindStaysTooLong(
      @ForAll("steps") List<Step> steps,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 12) Integer> delays) {
    SlowLimiter slow = new SlowLimiter(delays);
    WaitingRateLimiter tested = new WaitingRateLimiter(slow, time, time);
    List<CompletableFuture<Decision>> futures = new ArrayList<>();
    List<Long> deadlines = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (Step step : steps) {
      time.advance(step.pause * MS / 2);
      if (step.cancelled >= 0 && step.cancelled < futures.size()) {
        futures.get(futures.size() - 1 - step.cancelled).cancel(false);
      }
      int number = futures.size();
      Duration maxWait = ms(step.maxWait + 1);
      deadlines.add(time.elapsed() + maxWait.toNanos());
      ends.add(null);
      // callers are told apart by what they ask for
      futures.add(tested.acquireAsync("a", number + 1, maxWait));
      futures.get(number).whenComplete((decision, failure) -> ends.set(number, time.elapsed()));
    }
    time.advance(1_000 * MS);

    assertThat(slow.requests).isSorted();
    for (int i = 0; i < futures.size(); i++) {
      CompletableFuture<Decision> future = futures.get(i);
      assertThat(future).isDone();
      if (!slow.requests.contains(i + 1L)) {
        assertThat(ends.get(i)).isLessThanOrEqualTo(deadlines.get(i));
      }
      if (slow.failed.contains(i + 1) && !future.isCancelled()) {
        assertThat(failureOf(future)).isInstanceOf(RateLimiterUnavailableException.class);
      }
    }
    assertThat(tested.keys()).isZero();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void aCallerBehindARequestThatIsNotAnsweredLeavesOnTime() {
    limiter.holds = true;
    CompletableFuture<Decision> head = acquire(1, 1);
    CompletableFuture<Decision> behind = acquire(1, 5);
    CompletableFuture<Decision> sooner = acquire(1, 3);
    time.advance(3 * MS - 1);
    assertThat(sooner).isNotDone();
    time.advance(1);
    Decision unknown = Decision.denied(3, 0, ms(1), ms(1));
    assertThat(sooner).isCompletedWithValue(unknown);
    time.advance(2 * MS);
    assertThat(behind).isCompletedWithValue(unknown);

    time.advance(100 * MS);
    assertThat(head).isNotDone();
    limiter.answer();
    assertThat(head.join().allowed()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void aCallerWhoseTimeIsOverWhenItsTurnComesIsNotAskedFor() {
    limiter.holds = true;
    time.cancelsTooLate = true;
    acquire(1, 1);
    CompletableFuture<Decision> behind = acquire(1, 5);
    time.shutDown = true;
    CompletableFuture<Decision> withoutAlarm = acquire(1, 2);
    limiter.holds = false;
    time.advance(3 * MS);
    limiter.answer();
    assertThat(withoutAlarm.join()).isEqualTo(Decision.denied(3, 2, ms(1), POLICY.window()));
    assertThat(behind.join().allowed()).isTrue();
    assertThat(limiter.calls).hasSize(2);
  }

  @Test
  void aCancelledRequestThatIsWithTheLimiterTakesItsPermitsAndThenTheNextGoesOn() {
    limiter.holds = true;
    CompletableFuture<Decision> first = acquire(2, 100);
    CompletableFuture<Decision> second = acquire(1, 100);
    first.cancel(false);
    assertThat(limiter.calls).hasSize(1);
    limiter.answer();
    assertThat(limiter.calls).hasSize(2);
    limiter.answer();
    assertThat(second.join()).isEqualTo(Decision.admitted(3, 0, POLICY.window()));
    assertNothingIsLeft();
  }

  @Test
  void aCancelledRequestThatIsDeniedIsNotMadeAgain() {
    takenByOthers(3);
    limiter.holds = true;
    acquire(1, 100).cancel(false);
    limiter.answer();
    assertNothingIsLeft();
    assertThat(limiter.calls).hasSize(1);
  }

  @Test
  void aCancelledCallerBehindTheHeadIsNeverAskedFor() {
    limiter.holds = true;
    acquire(1, 100);
    CompletableFuture<Decision> cancelled = acquire(2, 4);
    CompletableFuture<Decision> third = acquire(1, 100);
    cancelled.cancel(false);
    limiter.answer();
    limiter.answer();
    assertThat(third.join().allowed()).isTrue();
    assertThat(limiter.calls).containsOnly("tryAcquireAsync a 1");
    assertNothingIsLeft();
  }

  // --- examples -------------------------------------------------------------------------------

  @Test
  void aCallerThatFindsPermitsDoesNotWait() {
    assertThat(acquire(2, 10)).isCompletedWithValue(Decision.admitted(3, 1, POLICY.window()));
    assertNothingIsLeft();
  }

  @Test
  void theHeadIsAskedForOnlyWhenItWasToldTo() {
    takenByOthers(3);
    CompletableFuture<Decision> head = acquire(1, 10);
    CompletableFuture<Decision> behind = acquire(1, 10);
    time.advance(10 * MS - 1);
    assertThat(limiter.calls).hasSize(1);
    assertThat(head).isNotDone();
    time.advance(1);
    assertThat(head.join().allowed()).isTrue();
    assertThat(behind.join().allowed()).isTrue();
    assertThat(limiter.calls).hasSize(3);
    assertNothingIsLeft();
  }

  @Test
  void aWaitThatDoesNotFitIsNotBegun() {
    takenByOthers(3);
    Decision denied = Decision.denied(3, 0, ms(10), ms(10));
    assertThat(acquire(1, 9)).isCompletedWithValue(denied);
    assertNothingIsLeft();
  }

  @Test
  void aCallerWhoseTimeIsOverBeforeTheHeadsNextRequestIsDeniedAtOnce() {
    takenByOthers(3);
    CompletableFuture<Decision> head = acquire(2, 10);
    time.advance(4 * MS);
    Decision denied = Decision.denied(3, 0, ms(6), ms(10));
    assertThat(acquire(1, 5)).isCompletedWithValue(denied);
    assertThat(acquire(1, 6)).isNotDone();
    assertThat(limiter.calls).hasSize(1);
    assertThat(head).isNotDone();
  }

  @Test
  void aHeadThatLearnsToWaitLongerTurnsAwayThoseWhoCannot() {
    takenByOthers(3);
    acquire(2, 100);
    CompletableFuture<Decision> patient = acquire(1, 20);
    CompletableFuture<Decision> impatient = acquire(1, 19);
    time.advance(10 * MS - 1);
    assertThat(impatient).isNotDone();
    log.reset("a");
    takenByOthers(2);
    time.advance(1);
    Duration wait = Duration.ofNanos(10 * MS - 1);
    assertThat(impatient).isCompletedWithValue(Decision.denied(3, 1, wait, wait));
    assertThat(patient).isNotDone();
  }

  @Test
  void permitsThatOthersTookAreWaitedForAgainIfThatFits() {
    takenByOthers(3);
    CompletableFuture<Decision> fits = acquire(1, 20);
    time.advance(10 * MS - 1);
    log.reset("a");
    takenByOthers(3);
    time.advance(1);
    assertThat(fits).isNotDone();
    time.advance(10 * MS - 1);
    assertThat(fits.join().allowed()).isTrue();

    takenByOthers(2);
    CompletableFuture<Decision> doesNotFit = acquire(1, 15);
    time.advance(10 * MS - 1);
    log.reset("a");
    takenByOthers(3);
    time.advance(1);
    assertThat(doesNotFit.join().retryAfter()).isEqualTo(Duration.ofNanos(10 * MS - 1));
    assertNothingIsLeft();
  }

  @Test
  void aSmallRequestDoesNotOvertakeALargeOne() {
    takenByOthers(2);
    CompletableFuture<Decision> large = acquire(3, 10);
    CompletableFuture<Decision> small = acquire(1, 20);
    assertThat(small).isNotDone();
    time.advance(10 * MS);
    assertThat(large.join().allowed()).isTrue();
    assertThat(small).isNotDone();
    time.advance(10 * MS);
    assertThat(small.join().allowed()).isTrue();
  }

  @Test
  void aHeadThatIsCancelledMakesRoomAtOnce() {
    takenByOthers(2);
    CompletableFuture<Decision> large = acquire(3, 100);
    CompletableFuture<Decision> small = acquire(1, 100);
    large.cancel(false);
    assertThat(small.join().allowed()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void aFutureThatSomebodyElseCompletesLeavesTheQueue() {
    takenByOthers(3);
    CompletableFuture<Decision> timedOut = acquire(1, 100);
    CompletableFuture<Decision> replaced = acquire(1, 100);
    timedOut.completeExceptionally(new TimeoutException());
    replaced.complete(Decision.admitted(1, 1, Duration.ZERO));
    assertNothingIsLeft();
  }

  @Test
  void aRequestForMoreThanTheLimitIsDeniedPastTheQueue() {
    takenByOthers(3);
    acquire(1, 100);
    assertThat(acquire(4, 100).join().retryAfter()).isEqualTo(Decision.NEVER);
  }

  @Test
  void aLimiterThatSaysNeverIsNotAskedAgain() {
    RateLimiter shut =
        new FaultyLimiter(FallbackRateLimiter.denying(POLICY)) {
          @Override
          public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
            return CompletableFuture.completedFuture(
                Decision.denied(3, 0, Decision.NEVER, Duration.ZERO));
          }
        };
    assertThat(
            new WaitingRateLimiter(shut, time, time)
                .acquireAsync("a", 1, Decision.NEVER)
                .join()
                .retryAfter())
        .isEqualTo(Decision.NEVER);
    assertThat(time.tasks()).isZero();
  }

  @Test
  void withoutPatienceItIsTryAcquireWhileNobodyWaitsForPermits() {
    assertThat(acquire(2, 0)).isCompletedWithValue(Decision.admitted(3, 1, POLICY.window()));
    assertThat(acquire(2, 0)).isCompletedWithValue(Decision.denied(3, 1, ms(10), ms(10)));

    limiter.holds = true;
    CompletableFuture<Decision> asked = acquire(1, 100);
    CompletableFuture<Decision> second = acquire(1, 0);
    assertThat(limiter.calls).hasSize(4);
    limiter.answer();
    limiter.answer();
    assertThat(asked.join().allowed()).isTrue();
    assertThat(second.join().allowed()).isFalse();
    assertNothingIsLeft();
  }

  @Test
  void withoutPatienceItIsDeniedWhileTheHeadWaitsForPermits() {
    takenByOthers(2);
    CompletableFuture<Decision> head = acquire(3, 100);
    time.advance(4 * MS);
    assertThat(acquire(1, 0)).isCompletedWithValue(Decision.denied(3, 1, ms(6), ms(10)));

    limiter.holds = true;
    time.advance(6 * MS);
    assertThat(limiter.held()).isEqualTo(1);
    assertThat(acquire(1, 0)).isCompletedWithValue(Decision.denied(3, 1, ms(1), ms(10)));
    limiter.answer();
    assertThat(head.join().allowed()).isTrue();
    assertThat(limiter.calls).hasSize(2);
  }

  @Test
  void patienceHasNoEnd() {
    takenByOthers(3);
    CompletableFuture<Decision> forEver = waiting.acquireAsync("a", 1, Decision.NEVER);
    limiter.holds = true;
    time.advance(10 * MS);
    CompletableFuture<Decision> behind = waiting.acquireAsync("a", 1, Decision.NEVER);
    assertThat(time.tasks()).isZero();
    limiter.holds = false;
    limiter.answer();
    assertThat(forEver.join().allowed()).isTrue();
    assertThat(behind.join().allowed()).isTrue();
  }

  @Test
  void aWaitBeyondTheClockIsAWaitWithoutAnAlarm() {
    RateLimiter endless =
        new FaultyLimiter(log) {
          @Override
          public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
            return CompletableFuture.completedFuture(
                Decision.denied(3, 0, Decision.NEVER.minusNanos(1), Duration.ZERO));
          }
        };
    WaitingRateLimiter tested = new WaitingRateLimiter(endless, time, time);
    CompletableFuture<Decision> decision = tested.acquireAsync("a", 1, Decision.NEVER);
    assertThat(decision).isNotDone();
    assertThat(time.tasks()).isZero();
    decision.cancel(false);
    assertThat(tested.keys()).isZero();
  }

  // --- failures -------------------------------------------------------------------------------

  @Test
  void aFailureIsThatOfItsCallerAndTheQueueGoesOn() {
    limiter.holds = true;
    CompletableFuture<Decision> first = acquire(1, 100);
    CompletableFuture<Decision> second = acquire(1, 100);
    limiter.failure = FaultyLimiter.unavailable();
    limiter.holds = false;
    limiter.throwsAtOnce = true;
    CompletableFuture<Decision> third = acquire(1, 100);
    limiter.answer();
    for (CompletableFuture<Decision> future : List.of(first, second, third)) {
      assertThat(failureOf(future)).isSameAs(limiter.failure);
    }
    limiter.failure = new AssertionError("bug");
    assertThat(failureOf(acquire(1, 100))).isSameAs(limiter.failure);
    limiter.failure = null;
    assertThat(acquire(1, 100).join().allowed()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void aFailureWhileTheHeadWaitsEndsItsWaitOnly() {
    takenByOthers(3);
    CompletableFuture<Decision> head = acquire(1, 100);
    limiter.failure = FaultyLimiter.unavailable();
    time.advance(10 * MS);
    assertThat(failureOf(head)).isSameAs(limiter.failure);
    assertNothingIsLeft();
  }

  @Test
  void withoutPatienceAFailureIsTheSame() {
    limiter.failure = FaultyLimiter.unavailable();
    assertThat(failureOf(acquire(1, 0))).isSameAs(limiter.failure);
    assertThat(failureOf(acquire(4, 0))).isSameAs(limiter.failure);
  }

  @Test
  void aLimiterThatDecidesNothingFailsItsCaller() {
    RateLimiter broken =
        new FaultyLimiter(log) {
          @Override
          public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
            return CompletableFuture.completedFuture(null);
          }
        };
    WaitingRateLimiter tested = new WaitingRateLimiter(broken, time, time);
    assertThat(failureOf(tested.acquireAsync("a", 1, ms(1))))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the limiter's decision is null");
    assertThat(tested.keys()).isZero();
  }

  @Test
  void aTimerThatWasShutDownFailsThoseWhoWouldHaveToWait() {
    time.shutDown = true;
    assertThat(acquire(3, 100).join().allowed()).isTrue();
    assertThat(failureOf(acquire(1, 100)))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the timer was shut down");
    assertThat(acquire(1, 9).join().allowed()).isFalse();
    assertNothingIsLeft();
  }

  @Test
  void aTimerThatRingsEarlyIsSetAgain() {
    takenByOthers(3);
    time.ringsEarly = true;
    CompletableFuture<Decision> head = acquire(1, 100);
    time.advance(9 * MS);
    assertThat(limiter.calls).hasSize(1);
    time.shutDown = true;
    time.advance(MS);
    assertThat(limiter.calls).hasSizeGreaterThan(1);
    assertThat(failureOf(head)).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void anAlarmThatRingsWhileItIsCancelledDoesNothing() {
    time.cancelsTooLate = true;
    limiter.holds = true;
    acquire(1, 100);
    CompletableFuture<Decision> gone = acquire(1, 5);
    CompletableFuture<Decision> stays = acquire(1, 50);
    gone.cancel(false);
    time.advance(10 * MS);
    assertThat(stays).isNotDone();
    limiter.answer();
    limiter.answer();
    assertThat(stays.join().allowed()).isTrue();
    time.advance(100 * MS);
    assertThat(limiter.calls).hasSize(2);
    assertThat(waiting.keys()).isZero();
  }

  // --- many -----------------------------------------------------------------------------------

  /** Runs on a stack on which a recursion for each waiter would overflow. */
  private static void onASmallStack(Runnable test) throws InterruptedException {
    FutureTask<Void> task = new FutureTask<>(test, null);
    Thread thread = new Thread(null, task, "small stack", 256 * 1024);
    thread.start();
    thread.join(TimeUnit.MINUTES.toMillis(1));
    assertThat(task).succeedsWithin(Duration.ZERO);
  }

  @Test
  void tenThousandWaitersAreAdmittedInOrderWithoutRecursion() throws InterruptedException {
    onASmallStack(
        () -> {
          LogLimiter large = new LogLimiter(SlidingWindowPolicy.of(10_000, ms(10)), time);
          WaitingRateLimiter tested = new WaitingRateLimiter(large, time, time);
          large.tryAcquire("a", 10_000);
          List<Integer> order = new ArrayList<>();
          for (int i = 0; i < 10_000; i++) {
            int number = i;
            tested.acquireAsync("a", 1, ms(10)).thenAccept(decision -> order.add(number));
          }
          assertThat(order).isEmpty();
          time.advance(10 * MS);
          assertThat(order).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
          assertThat(tested.keys()).isZero();
        });
  }

  @Test
  void tenThousandWaitersBehindALateAnswerGoOnWithoutRecursion() throws InterruptedException {
    onASmallStack(
        () -> {
          FaultyLimiter late = new FaultyLimiter(FallbackRateLimiter.allowing(POLICY));
          WaitingRateLimiter tested = new WaitingRateLimiter(late, time, time);
          late.holds = true;
          List<CompletableFuture<Decision>> futures =
              IntStream.range(0, 10_000)
                  .mapToObj(i -> tested.acquireAsync("a", 1, ms(10)))
                  .toList();
          late.holds = false;
          late.answer();
          time.advance(0);
          assertThat(futures).allMatch(future -> future.join().allowed());
          assertThat(late.calls).hasSize(10_000);
          assertThat(tested.keys()).isZero();
        });
  }

  @Test
  void tenThousandCancelledWaitersLeaveWithoutRecursion() throws InterruptedException {
    onASmallStack(
        () -> {
          takenByOthers(3);
          List<CompletableFuture<Decision>> futures =
              IntStream.range(0, 10_000).mapToObj(i -> acquire(1, 100)).toList();
          futures.forEach(future -> future.cancel(false));
          assertNothingIsLeft();
        });
  }

  @Test
  void oneThreadDoesNotServeAStreamOfCallersThatNeverEnds() {
    WaitingRateLimiter[] tested = new WaitingRateLimiter[1];
    FaultyLimiter stream =
        new FaultyLimiter(FallbackRateLimiter.allowing(POLICY)) {
          @Override
          public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
            tested[0].acquireAsync(key, permits, ms(1));
            return super.tryAcquireAsync(key, permits);
          }
        };
    tested[0] = new WaitingRateLimiter(stream, time, time);
    assertThat(tested[0].acquireAsync("a", 1, ms(1)).join().allowed()).isTrue();
    assertThat(stream.calls).hasSize(64);
    assertThat(time.runOne()).isTrue();
    assertThat(stream.calls).hasSize(128);
  }

  @Test
  void withoutATimerOneThreadServesAllWhoAreThere() {
    FaultyLimiter late = new FaultyLimiter(FallbackRateLimiter.allowing(POLICY));
    WaitingRateLimiter tested = new WaitingRateLimiter(late, time, time);
    late.holds = true;
    List<CompletableFuture<Decision>> futures =
        IntStream.range(0, 200).mapToObj(i -> tested.acquireAsync("a", 1, ms(10))).toList();
    time.shutDown = true;
    late.holds = false;
    late.answer();
    assertThat(futures).allMatch(future -> future.isDone() && future.join().allowed());
    assertThat(tested.keys()).isZero();
  }

  // --- arguments ------------------------------------------------------------------------------

  @Test
  void badArgumentsAreRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waiting.acquireAsync("", 1, ms(1)))
        .withMessage("key is empty, must have at least 1 character");
    assertThatIllegalArgumentException().isThrownBy(() -> waiting.acquire("a", 0, ms(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> waiting.acquireAsync("a", 1, ms(-1)))
        .withMessage("maxWait is PT-0.001S, must not be negative");
    assertThatNullPointerException().isThrownBy(() -> waiting.acquireAsync(null, 1, ms(1)));
    assertThatNullPointerException().isThrownBy(() -> waiting.acquireAsync("a", 1, null));
    assertThatNullPointerException().isThrownBy(() -> WaitingRateLimiter.of(null));
    assertThatNullPointerException().isThrownBy(() -> WaitingRateLimiter.of(limiter, null));
    assertThat(limiter.calls).isEmpty();
  }

  // --- blocking -------------------------------------------------------------------------------

  /** A thread that acquires, and its outcome. */
  private FutureTask<Decision> blocked(long maxWaitMillis) throws InterruptedException {
    FutureTask<Decision> task = new FutureTask<>(() -> waiting.acquire("a", 1, ms(maxWaitMillis)));
    threads.add(new Thread(task, "caller"));
    threads.get(threads.size() - 1).start();
    return task;
  }

  private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

  @Test
  void aBlockedCallerIsWokenByItsAdmission() throws Exception {
    takenByOthers(3);
    FutureTask<Decision> caller = blocked(10);
    assertThat(time.scheduled.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    time.advance(10 * MS);
    assertThat(caller.get(1, TimeUnit.MINUTES).allowed()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void aCallerThatComesWhileTheLastOneLeavesFindsANewQueue() throws Exception {
    CountDownLatch leaving = new CountDownLatch(1);
    Thread last = new Thread(limiter::answer);
    WaitingRateLimiter tested =
        new WaitingRateLimiter(
            limiter,
            time,
            () -> {
              if (Thread.currentThread() == last) {
                awaitUninterrupted(leaving);
              }
              return time.getAsLong();
            });
    limiter.holds = true;
    CompletableFuture<Decision> first = tested.acquireAsync("a", 1, ms(10));
    limiter.holds = false;
    last.start();
    awaitState(last, Thread.State.WAITING);
    FutureTask<Decision> second = new FutureTask<>(() -> tested.acquire("a", 1, ms(10)));
    Thread next = new Thread(second);
    next.start();
    awaitState(next, Thread.State.BLOCKED);
    leaving.countDown();
    assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(Decision.admitted(3, 1, POLICY.window()));
    assertThat(first.get(1, TimeUnit.MINUTES).allowed()).isTrue();
    assertThat(tested.keys()).isZero();
  }

  private static void awaitState(Thread thread, Thread.State state) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (thread.getState() != state) {
      assertThat(System.nanoTime() - end).as("%s is %s", thread, thread.getState()).isNegative();
      Thread.onSpinWait();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anInterruptedCallerLeavesTheQueueAndTheNextGoesOn() throws Exception {
    takenByOthers(3);
    FutureTask<Decision> caller = blocked(100);
    assertThat(time.scheduled.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    CompletableFuture<Decision> next = acquire(1, 100);
    threads.get(0).interrupt();
    threads.get(0).join(TimeUnit.MINUTES.toMillis(1));
    assertThat(caller)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(limiter.calls).hasSize(2);
    time.advance(10 * MS);
    assertThat(next.join().allowed()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void aCallerThatIsInterruptedBeforeAsksForNothing() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> waiting.acquire("a", 1, ms(1)));
    assertThat(Thread.interrupted()).isFalse();
    assertThat(limiter.calls).isEmpty();
  }

  @Test
  void anInterruptAfterTheDecisionLosesNoPermits() throws InterruptedException {
    Decision admitted = Decision.admitted(3, 2, Duration.ZERO);
    CompletableFuture<Decision> decidedJustBefore =
        new CompletableFuture<>() {
          @Override
          public Decision get() throws InterruptedException {
            complete(admitted);
            throw new InterruptedException();
          }
        };
    assertThat(WaitingRateLimiter.await(decidedJustBefore)).isEqualTo(admitted);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void failuresAreThrownAsTheyAre() {
    for (Throwable failure : List.of(FaultyLimiter.unavailable(), new AssertionError("bug"))) {
      limiter.failure = failure;
      assertThatExceptionOfType(failure.getClass())
          .isThrownBy(() -> waiting.acquire("a", 1, ms(1)))
          .isSameAs(failure);
    }
    limiter.failure = new Exception("checked");
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> waiting.acquire("a", 1, ms(1)))
        .withCause(limiter.failure);
  }
}
