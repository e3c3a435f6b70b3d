package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.ListenerGuard;
import dev.weir.internal.Stages;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A fallback rate limiter answers like its primary limiter and, where that is unavailable, like its
 * fallback.
 *
 * <p>A request that ends in {@link RateLimiterUnavailableException} is answered by the fallback
 * instead. After a number of such failures in a row, of whatever keys and causes, the breaker
 * <em>opens</em>: requests go straight to the fallback, and an outage costs no more than the
 * fallback's own time. While it is open, one request in each probe interval is also sent to the
 * primary, without waiting for the answer; an answer <em>closes</em> the breaker. The probe is that
 * real request, so if the primary is back it is charged there as well as by the fallback.
 *
 * <p>No other exception is caught or counted. A request that failed may yet have been charged by
 * the primary, at most once. Where the fallback is unavailable too, its exception is thrown.
 *
 * <p><b>Decisions</b> are those of whoever answered, {@link Decision#limit()} included; only {@link
 * Decision#NEVER} from a fallback with a lower limit becomes the probe interval, if the request is
 * within the limit of {@link #policy()}, the primary's.
 *
 * <p>{@code peek} falls back like a request; its failures count, but its answers do not, for a
 * store may read and yet not write, and it never probes. {@code reset} always goes to both and
 * leaves the breaker alone; where the primary is unavailable it throws, after the fallback was
 * reset.
 *
 * <p>Blocks when the limiter that answers does. Safe for use by any number of threads.
 */
public final class FallbackRateLimiter implements RateLimiter {

  /**
   * The failures in a row that open the breaker if nothing else is said, 5: more than one slow
   * reply, and few enough that a lone caller, with a deadline of half a second for each, has
   * noticed an outage after 2.5 seconds.
   */
  public static final int DEFAULT_FAILURE_THRESHOLD = 5;

  /**
   * The probe interval if nothing else is said, one second: opening too early costs no more than
   * that, and a store that comes back is not flooded.
   */
  public static final Duration DEFAULT_PROBE_INTERVAL = Duration.ofSeconds(1);

  private final RateLimiter primary;
  private final RateLimiter fallback;
  private final int failureThreshold;
  private final Duration probeInterval;
  private final Listener listener;
  private final ListenerGuard guard;
  private final LongSupplier ticker;

  private final Object transitions = new Object();

  /** Written under {@link #transitions}, so that a transition and its report are one step. */
  private volatile State state = new Closed();

  private FallbackRateLimiter(Builder builder) {
    primary = builder.primary;
    fallback = builder.fallback;
    failureThreshold = builder.failureThreshold;
    probeInterval = builder.probeInterval;
    listener = builder.listener;
    guard = new ListenerGuard(listener);
    ticker = builder.ticker;
  }

  /**
   * Returns a builder with the defaults.
   *
   * @param primary what decides while it is available
   * @param fallback what decides while it is not; see {@link #allowing}, {@link #denying}, or give
   *     this node's share of the limit to a limiter in memory
   * @return a new builder
   * @throws NullPointerException if an argument is null
   */
  public static Builder builder(RateLimiter primary, RateLimiter fallback) {
    return new Builder(primary, fallback);
  }

  /**
   * Returns a fallback that admits whatever the policy could ever admit, and forgets it: with it an
   * outage lifts the limit.
   *
   * @param policy the primary's policy
   * @return a limiter without state; more than {@link Policy#limit()} at once is denied for ever
   * @throws NullPointerException if {@code policy} is null
   */
  public static RateLimiter allowing(Policy policy) {
    return new Always(policy, Duration.ZERO);
  }

  /**
   * Returns a fallback that denies everything and tells to retry after {@link
   * #DEFAULT_PROBE_INTERVAL}: with it an outage stops what is limited.
   *
   * @param policy the primary's policy
   * @return a limiter without state
   * @throws NullPointerException if {@code policy} is null
   */
  public static RateLimiter denying(Policy policy) {
    return denying(policy, DEFAULT_PROBE_INTERVAL);
  }

  /**
   * Returns a fallback that denies everything: with it an outage stops what is limited.
   *
   * @param policy the primary's policy
   * @param retryAfter what denied callers are told to wait, from 1 ms to 366 days in whole
   *     microseconds; sensibly the probe interval
   * @return a limiter without state; more than {@link Policy#limit()} at once is denied for ever
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code retryAfter} is out of its bounds
   */
  public static RateLimiter denying(Policy policy, Duration retryAfter) {
    Bounds.checkWindow("retryAfter", retryAfter);
    return new Always(policy, retryAfter);
  }

  /**
   * Returns the primary's policy, also while the fallback answers.
   *
   * @return the policy, the same object on every call
   */
  @Override
  public Policy policy() {
    return primary.policy();
  }

  /**
   * Returns whether the breaker is open, so that requests go straight to the fallback.
   *
   * @return true from the last failure that counted to the first probe that was answered
   */
  public boolean isOpen() {
    return state instanceof Open;
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    Bounds.checkRequest(key, permits);
    State current = state;
    if (current instanceof Closed closed) {
      try {
        Decision decision = primary.tryAcquire(key, permits);
        closed.succeeded();
        return decision;
      } catch (RateLimiterUnavailableException e) {
        failed(closed, e);
      }
    } else {
      probeIfDue((Open) current, key, permits);
    }
    return byFallback(fallback.tryAcquire(key, permits), permits);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    Bounds.checkRequest(key, permits);
    State current = state;
    if (current instanceof Closed closed) {
      return Stages.unwrapped(
          Stages.ask(primary, key, permits)
              .thenApply(
                  decision -> {
                    closed.succeeded();
                    return decision;
                  })
              .exceptionallyCompose(
                  failure -> {
                    if (Stages.failureOf(failure) instanceof RateLimiterUnavailableException e) {
                      failed(closed, e);
                      return byFallbackAsync(key, permits);
                    }
                    return CompletableFuture.failedStage(failure);
                  }));
    }
    probeIfDue((Open) current, key, permits);
    return Stages.unwrapped(byFallbackAsync(key, permits));
  }

  @Override
  public Decision peek(String key, long permits) {
    Bounds.checkRequest(key, permits);
    if (state instanceof Closed closed) {
      try {
        return primary.peek(key, permits);
      } catch (RateLimiterUnavailableException e) {
        failed(closed, e);
      }
    }
    return byFallback(fallback.peek(key, permits), permits);
  }

  @Override
  public void reset(String key) {
    Bounds.checkKey(key);
    try {
      fallback.reset(key);
    } finally {
      primary.reset(key);
    }
  }

  private CompletionStage<Decision> byFallbackAsync(String key, long permits) {
    return Stages.ask(fallback, key, permits).thenApply(decision -> byFallback(decision, permits));
  }

  /** The fallback's limit may never admit what the primary's will when it is back. */
  private Decision byFallback(Decision decision, long permits) {
    return decision.retryAfter().equals(Decision.NEVER) && permits <= policy().limit()
        ? Decision.denied(
            decision.limit(), decision.remaining(), probeInterval, decision.resetAfter())
        : decision;
  }

  private void failed(Closed closed, RateLimiterUnavailableException cause) {
    if (closed.failures.incrementAndGet() >= failureThreshold) {
      Open open = new Open(ticker.getAsLong() + probeInterval.toNanos());
      changeState(closed, open, () -> listener.onOpened(cause));
    }
  }

  private void probeIfDue(Open open, String key, long permits) {
    long due = open.nextProbe.get();
    long now = ticker.getAsLong();
    if (now - due >= 0 && open.nextProbe.compareAndSet(due, now + probeInterval.toNanos())) {
      try {
        Stages.ask(primary, key, permits)
            .thenAccept(decision -> changeState(open, new Closed(), listener::onClosed));
      } catch (RuntimeException e) {
        // No answer, so the breaker stays open; the caller asked the fallback.
      }
    }
  }

  /** Does nothing if somebody else was first: answers that come late belong to a former state. */
  private void changeState(State from, State to, Runnable report) {
    synchronized (transitions) {
      if (state == from) {
        state = to;
        guard.call(report);
      }
    }
  }

  private sealed interface State permits Closed, Open {}

  /** Requests go to the primary. */
  private static final class Closed implements State {
    private final AtomicInteger failures = new AtomicInteger();

    /** Writes only where there is something to change: this is the path of every good request. */
    void succeeded() {
      if (failures.get() != 0) {
        failures.set(0);
      }
    }
  }

  /** Requests go to the fallback, and one after each probe interval to the primary, too. */
  private static final class Open implements State {
    private final AtomicLong nextProbe;

    Open(long nextProbe) {
      this.nextProbe = new AtomicLong(nextProbe);
    }
  }

  /** The fallbacks that need no state: a retryAfter of zero allows. */
  private record Always(Policy policy, Duration retryAfter) implements RateLimiter {

    Always {
      Objects.requireNonNull(policy, "policy");
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      Bounds.checkRequest(key, permits);
      long limit = policy.limit();
      long remaining = retryAfter.isZero() ? limit : 0;
      if (permits > limit) {
        return Decision.denied(limit, remaining, Decision.NEVER, retryAfter);
      }
      return new Decision(retryAfter.isZero(), limit, remaining, retryAfter, retryAfter);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedFuture(tryAcquire(key, permits));
    }

    @Override
    public Decision peek(String key, long permits) {
      return tryAcquire(key, permits);
    }

    @Override
    public void reset(String key) {
      Bounds.checkKey(key);
    }
  }

  /**
   * A listener is told when the breaker opens and closes, each transition once, in their order and
   * one at a time.
   *
   * <p>Methods run on the thread whose answer made the transition, which for asynchronous requests
   * and probes is one of the store's: they must be quick and must not wait for other requests. What
   * a method throws changes nothing; it is logged, the first time as a warning.
   */
  public interface Listener {

    /**
     * Called when requests begin to go straight to the fallback. Does nothing by default.
     *
     * @param cause the last of the failures in a row
     */
    default void onOpened(RateLimiterUnavailableException cause) {}

    /** Called when requests go to the primary again. Does nothing by default. */
    default void onClosed() {}
  }

  /** A builder of {@link FallbackRateLimiter}, not safe for use by several threads at once. */
  public static final class Builder {

    private final RateLimiter primary;
    private final RateLimiter fallback;
    private int failureThreshold = DEFAULT_FAILURE_THRESHOLD;
    private Duration probeInterval = DEFAULT_PROBE_INTERVAL;
    private Listener listener = new Listener() {};
    private LongSupplier ticker = System::nanoTime;

    private Builder(RateLimiter primary, RateLimiter fallback) {
      this.primary = Objects.requireNonNull(primary, "primary");
      this.fallback = Objects.requireNonNull(fallback, "fallback");
    }

    /**
     * Sets how many failures in a row open the breaker.
     *
     * @param failures the number, at least 1
     * @return this builder
     * @throws IllegalArgumentException if {@code failures} is below 1
     */
    public Builder failureThreshold(int failures) {
      if (failures < 1) {
        throw new IllegalArgumentException(
            "failureThreshold is " + failures + ", must be at least 1");
      }
      failureThreshold = failures;
      return this;
    }

    /**
     * Sets how often the primary is asked while the breaker is open.
     *
     * @param interval the interval, from 1 ms to 366 days in whole microseconds
     * @return this builder
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code interval} is out of its bounds
     */
    public Builder probeInterval(Duration interval) {
      Bounds.checkWindow("probeInterval", interval);
      probeInterval = interval;
      return this;
    }

    /**
     * Sets what is told of transitions.
     *
     * @param listener the listener
     * @return this builder
     * @throws NullPointerException if {@code listener} is null
     */
    public Builder listener(Listener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /** Sets where the time comes from, in nanoseconds that never step back. */
    Builder ticker(LongSupplier ticker) {
      this.ticker = ticker;
      return this;
    }

    /**
     * Builds the limiter, with its breaker closed.
     *
     * @return a new limiter
     */
    public FallbackRateLimiter build() {
      return new FallbackRateLimiter(this);
    }
  }
}
