package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A waiting rate limiter waits for permits: where the limiter it decorates denies a request, it
 * asks again after {@link Decision#retryAfter()}, as long as that fits into the caller's patience.
 *
 * <p><b>Order.</b> The callers of one key are served strictly in the order of their calls: only the
 * head of a key's queue asks the limiter, one request at a time, and those behind it wait for it,
 * also where they ask for fewer permits. The order is that of this object: other instances, other
 * JVMs and callers of the limiter itself are not in the queue, and may take the permits that the
 * head waits for; then it waits again, if that fits.
 *
 * <p><b>Patience.</b> {@code maxWait} is the longest time from the call to the request that is
 * admitted.
 *
 * <ul>
 *   <li>The head gets the limiter's denial at once if the wait that it tells does not fit, {@link
 *       Decision#NEVER} included.
 *   <li>A caller behind the head is denied at once if its time is over before the head asks again,
 *       and otherwise when its time is over. Its {@code retryAfter} is what the head still has to
 *       wait, at least 1 ms; the other figures are those that the queue was told last.
 *   <li>A request that is with the limiter is waited for, however late the answer, for it may have
 *       taken permits.
 *   <li>A {@code maxWait} of zero never queues: the request is denied at once while the head waits
 *       for permits, and is {@code tryAcquire} otherwise. Nor does a request for more than the
 *       limit, which the limiter denies.
 * </ul>
 *
 * <p><b>Failures.</b> A failure of the limiter is that of the caller whose request failed; the next
 * one goes on.
 *
 * <p><b>Cancellation.</b> A caller that is interrupted, or whose future is cancelled or completed
 * by somebody else, leaves the queue, and the next one goes on. If its request is with the limiter
 * at that moment, the next one goes on after the answer; if that admits it, the permits are gone.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads; nothing is kept for a key that nobody
 * waits for. Requests are asynchronous ones, made on the thread of a caller, of the limiter's store
 * or of the timer. Futures complete on these, too: what depends on them must not block there, or it
 * takes an executor of its own, as by {@code thenApplyAsync}.
 */
public final class WaitingRateLimiter {

  private static final long FOREVER = Long.MAX_VALUE;

  /** What somebody who did not ask the limiter is told to wait at least. */
  private static final long LEAST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A thread that was answered so many requests at once leaves the rest to the timer. */
  private static final int MOST_IN_A_ROW = 64;

  /** Runs a task later. */
  @FunctionalInterface
  interface Timer {
    Future<?> schedule(Runnable task, long delayNanos);
  }

  private final RateLimiter limiter;
  private final long limit;
  private final Timer timer;
  private final LongSupplier ticker;
  private final long origin;
  private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

  WaitingRateLimiter(RateLimiter limiter, Timer timer, LongSupplier ticker) {
    this.limiter = limiter;
    this.timer = timer;
    this.ticker = ticker;
    limit = limiter.policy().limit();
    origin = ticker.getAsLong();
  }

  /**
   * Returns a limiter that waits, with a timer that all of them share: one daemon thread, which
   * ends when there is nothing to wait for.
   *
   * @param limiter what decides
   * @return a new decorator
   * @throws NullPointerException if {@code limiter} is null
   */
  public static WaitingRateLimiter of(RateLimiter limiter) {
    return of(limiter, SharedTimer.EXECUTOR);
  }

  /**
   * Returns a limiter that waits by the caller's timer.
   *
   * @param limiter what decides
   * @param timer runs short tasks that do not block; it stays the caller's, who shuts it down when
   *     nobody waits any more: later waits fail with {@link RejectedExecutionException}, and those
   *     whose tasks it dropped never end; best with {@link
   *     ScheduledThreadPoolExecutor#setRemoveOnCancelPolicy(boolean)} set
   * @return a new decorator
   * @throws NullPointerException if an argument is null
   */
  public static WaitingRateLimiter of(RateLimiter limiter, ScheduledExecutorService timer) {
    Objects.requireNonNull(limiter, "limiter");
    Objects.requireNonNull(timer, "timer");
    return new WaitingRateLimiter(
        limiter,
        (task, delayNanos) -> timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS),
        System::nanoTime);
  }

  /**
   * Takes permits, and waits for them if need be. Blocks.
   *
   * @param key what is limited, not empty
   * @param permits how many permits are asked for, at least 1
   * @param maxWait how long to wait for them, from zero; the answer to a request that is with the
   *     limiter is waited for on top of it
   * @return the decision; if it is denied, nothing was taken
   * @throws InterruptedException if the thread is interrupted before the decision is there; when it
   *     comes from the limiter after that, the permits are gone. After the decision the interrupt
   *     is left to the caller
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code key} is empty, {@code permits} is below 1 or {@code
   *     maxWait} is negative
   * @throws RateLimiterUnavailableException if the store gave no answer; the permits may or may not
   *     have been taken, at most once
   * @throws RejectedExecutionException if the timer was shut down
   */
  public Decision acquire(String key, long permits, Duration maxWait) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return await(acquireAsync(key, permits, maxWait));
  }

  /** Waits for a decision; an interrupt withdraws the request if it is not too late. */
  static Decision await(CompletableFuture<Decision> decision) throws InterruptedException {
    try {
      return decision.get();
    } catch (InterruptedException e) {
      if (decision.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // join tells it below
    }
    try {
      return decision.join();
    } catch (CompletionException e) {
      Throwable failure = Stages.failureOf(e);
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  /**
   * Takes permits, and waits for them if need be, without blocking the caller.
   *
   * <p>Bad arguments are refused at once, by an exception thrown to the caller. A store that gives
   * no answer completes the future with {@link RateLimiterUnavailableException}, a timer that was
   * shut down with {@link RejectedExecutionException}.
   *
   * @param key what is limited, not empty
   * @param permits how many permits are asked for, at least 1
   * @param maxWait how long to wait for them, from zero; the answer to a request that is with the
   *     limiter is waited for on top of it
   * @return a future that completes with the decision; cancelling it leaves the queue
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code key} is empty, {@code permits} is below 1 or {@code
   *     maxWait} is negative
   */
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration maxWait) {
    Bounds.checkRequest(key, permits);
    Objects.requireNonNull(maxWait, "maxWait");
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait is " + maxWait + ", must not be negative");
    }
    if (permits > limit) {
      return Stages.unwrapped(Stages.ask(limiter, key, permits));
    }
    if (maxWait.isZero()) {
      Line line = lines.get(key);
      Decision denial = line == null ? null : line.denialWhileHeadWaits();
      return denial == null
          ? Stages.unwrapped(Stages.ask(limiter, key, permits))
          : CompletableFuture.completedFuture(denial);
    }
    Waiter waiter = new Waiter(permits, plus(now(), nanos(maxWait)));
    Line line;
    do {
      line = lines.computeIfAbsent(key, Line::new);
    } while (!line.join(waiter));
    return waiter;
  }

  /** Returns how many keys somebody waits for. */
  int keys() {
    return lines.size();
  }

  /** The time in nanoseconds, from zero. */
  private long now() {
    return ticker.getAsLong() - origin;
  }

  private static long nanos(Duration duration) {
    return duration.toSeconds() >= FOREVER / 1_000_000_000L ? FOREVER : duration.toNanos();
  }

  private static long plus(long time, long nanos) {
    return nanos > FOREVER - time ? FOREVER : time + nanos;
  }

  /** A caller in a queue. */
  private static final class Waiter extends CompletableFuture<Decision> {
    private static final Comparator<Waiter> BY_DEADLINE =
        Comparator.<Waiter>comparingLong(waiter -> waiter.deadline)
            .thenComparingLong(waiter -> waiter.number);

    private final long permits;
    private final long deadline;
    private long number;

    Waiter(long permits, long deadline) {
      this.permits = permits;
      this.deadline = deadline;
    }
  }

  /** An answer of the limiter, there at once or later. */
  private static final class Answer {
    private @Nullable Decision decision;
    private @Nullable Throwable failure;
    private final AtomicBoolean met = new AtomicBoolean();

    /**
     * Both the thread that asked and the thread that answers call this once; who comes second goes
     * on with the answer. So an answer that is there at once is gone on with by the loop that
     * asked, and not by a recursion.
     */
    boolean isSecond() {
      return met.getAndSet(true);
    }
  }

  /**
   * The queue of one key. It is in one of two states: a request of the head is with the limiter
   * ({@code asked}), or the head waits for {@code nextAttempt}, which nobody's deadline is before.
   * Methods that change it collect under the lock what callers are to be told, and return the
   * waiter whose request is to be made; both is done by {@link #drive} without the lock.
   */
  private final class Line {
    private final String key;
    private final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();
    private final TreeSet<Waiter> behind = new TreeSet<>(Waiter.BY_DEADLINE);
    private long joined;
    private @Nullable Waiter asked;
    private long nextAttempt;
    private boolean headWasDenied;
    private @Nullable Decision heard;
    private boolean retired;
    private @Nullable Future<?> alarm;
    private long alarmDue;
    private long alarms;

    Line(String key) {
      this.key = key;
    }

    /** Returns false if nobody was left here, so that another queue has taken its place. */
    boolean join(Waiter waiter) {
      List<Runnable> told = new ArrayList<>();
      Waiter next = null;
      synchronized (this) {
        if (retired) {
          return false;
        }
        waiter.number = joined++;
        waiters.add(waiter);
        behind.add(waiter);
        long now = now();
        if (waiters.size() == 1) {
          next = next(now, told);
        } else {
          turnAway(asked == null ? nextAttempt : now, now, told);
          arm();
        }
      }
      drive(next, told);
      if (!waiter.isDone()) {
        Future<?> unused = waiter.whenComplete((decision, failure) -> leave(waiter));
      }
      return true;
    }

    /** Asks for one waiter after the other as long as answers are there at once. */
    private void drive(@Nullable Waiter first, List<Runnable> told) {
      Waiter next = first;
      while (next != null) {
        Answer answer = ask(next);
        if (answer.isSecond()) {
          next = settle(next, answer, told);
        } else {
          next = null;
          synchronized (this) {
            arm();
          }
        }
      }
      told.forEach(Runnable::run);
    }

    private Answer ask(Waiter head) {
      CompletionStage<Decision> stage;
      try {
        stage = limiter.tryAcquireAsync(key, head.permits);
      } catch (RuntimeException | Error e) {
        stage = CompletableFuture.failedStage(e);
      }
      Answer answer = new Answer();
      stage.whenComplete(
          (decision, failure) -> {
            answer.decision = decision;
            answer.failure = failure;
            if (answer.isSecond()) {
              List<Runnable> told = new ArrayList<>();
              drive(settle(head, answer, told), told);
            }
          });
      return answer;
    }

    private synchronized @Nullable Waiter settle(Waiter head, Answer answer, List<Runnable> told) {
      asked = null;
      long now = now();
      Decision decision = answer.decision;
      if (decision == null) {
        Throwable failure =
            answer.failure == null
                ? new NullPointerException("the limiter's decision is null")
                : Stages.failureOf(answer.failure);
        told.add(() -> head.completeExceptionally(failure));
      } else {
        heard = decision;
        if (!head.isDone() && hasToWait(decision) && fits(decision, head.deadline - now)) {
          nextAttempt = plus(now, nanos(decision.retryAfter()));
          if (arm()) {
            headWasDenied = true;
            turnAway(nextAttempt, now, told);
            return null;
          }
          told.add(
              () ->
                  head.completeExceptionally(
                      new RejectedExecutionException("the timer was shut down")));
        } else {
          told.add(() -> head.complete(decision));
        }
      }
      waiters.remove(head);
      turnAway(now, now, told);
      return next(now, told);
    }

    private static boolean hasToWait(Decision decision) {
      return !decision.allowed() && !decision.retryAfter().equals(Decision.NEVER);
    }

    private static boolean fits(Decision decision, long patience) {
      return nanos(decision.retryAfter()) <= patience;
    }

    /** Returns whose turn it is. */
    private @Nullable Waiter next(long now, List<Runnable> told) {
      headWasDenied = false;
      if (waiters.isEmpty()) {
        retired = true;
        nextAttempt = FOREVER; // for a thread that asked and comes to set the alarm only now
        disarm();
        lines.remove(key, this);
        return null;
      }
      nextAttempt = now;
      if (told.size() >= MOST_IN_A_ROW && arm()) {
        return null;
      }
      return head();
    }

    /** Returns the head, whose request is now to be made. */
    private Waiter head() {
      Waiter head = waiters.iterator().next();
      behind.remove(head);
      asked = head;
      return head;
    }

    private void leave(Waiter waiter) {
      List<Runnable> told = new ArrayList<>();
      Waiter next = null;
      synchronized (this) {
        if (waiter == asked || !waiters.contains(waiter)) {
          return; // its answer moves the queue on, or did
        }
        boolean wasHead = waiter == waiters.iterator().next();
        waiters.remove(waiter);
        behind.remove(waiter);
        if (wasHead) {
          next = next(now(), told);
        } else {
          arm();
        }
      }
      drive(next, told);
    }

    private void ring(long number) {
      List<Runnable> told = new ArrayList<>();
      Waiter next = null;
      synchronized (this) {
        if (number != alarms) {
          return; // it rang while it was disarmed
        }
        alarm = null;
        long now = now();
        if (asked != null) {
          turnAway(now + 1, now, told);
          arm();
        } else if (now >= nextAttempt || !arm()) {
          next = head();
        }
      }
      drive(next, told);
    }

    /** Denies those behind the head whose deadline is before a time. */
    private void turnAway(long time, long now, List<Runnable> told) {
      while (!behind.isEmpty() && behind.first().deadline < time) {
        Waiter waiter = behind.first();
        behind.remove(waiter);
        waiters.remove(waiter);
        Decision denial = denial(time - now);
        told.add(() -> waiter.complete(denial));
      }
    }

    synchronized @Nullable Decision denialWhileHeadWaits() {
      return headWasDenied ? denial(nextAttempt - now()) : null;
    }

    private Decision denial(long waitNanos) {
      Duration wait = Duration.ofNanos(Math.max(waitNanos, LEAST_RETRY_NANOS));
      if (heard == null) {
        return Decision.denied(limit, 0, wait, wait);
      }
      Duration reset = heard.resetAfter();
      return Decision.denied(
          heard.limit(), heard.remaining(), wait, reset.compareTo(wait) < 0 ? wait : reset);
    }

    /** Sets the alarm to when this state ends by itself; returns false if the timer refuses. */
    private boolean arm() {
      long due = asked == null ? nextAttempt : behind.isEmpty() ? FOREVER : behind.first().deadline;
      if (alarm != null && alarmDue == due) {
        return true;
      }
      disarm();
      if (due != FOREVER) {
        long number = alarms;
        try {
          alarm = timer.schedule(() -> ring(number), due - now());
        } catch (RejectedExecutionException e) {
          return false;
        }
        alarmDue = due;
      }
      return true;
    }

    private void disarm() {
      alarms++;
      if (alarm != null) {
        alarm.cancel(false);
        alarm = null;
      }
    }
  }

  private static final class SharedTimer {
    private static final ScheduledThreadPoolExecutor EXECUTOR = create();

    private static ScheduledThreadPoolExecutor create() {
      ScheduledThreadPoolExecutor executor =
          new ScheduledThreadPoolExecutor(
              1,
              task -> {
                Thread thread = new Thread(task, "weir-timer");
                thread.setDaemon(true);
                return thread;
              });
      executor.setRemoveOnCancelPolicy(true);
      executor.setKeepAliveTime(10, TimeUnit.SECONDS);
      executor.allowCoreThreadTimeOut(true);
      return executor;
    }
  }
}
