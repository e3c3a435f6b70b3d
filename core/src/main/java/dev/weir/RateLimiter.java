package dev.weir;

import java.util.concurrent.CompletionStage;

/**
 * A rate limiter decides, request by request, whether a key may have permits now.
 *
 * <p>Every key has its own state and starts as new. A request is admitted whole or not at all, and
 * a denied request changes no later decision. What exactly every limiter of this library keeps is
 * listed, with numbers, in {@code docs/rules.md}.
 *
 * <p><b>Arguments.</b> A key is any non-empty string; {@code permits} is at least 1. A request for
 * more than {@link Policy#limit()} is lawful: it is denied with {@link Decision#NEVER}.
 *
 * <p><b>Blocking.</b> No method waits for permits. {@link #tryAcquire(String, long)}, {@link
 * #peek(String, long)} and {@link #reset(String)} may block for the store's answer, at most for the
 * deadline that the implementation documents; {@link #tryAcquireAsync(String, long)} does not
 * block.
 *
 * <p><b>Threads.</b> Implementations are safe for use by any number of threads.
 */
public interface RateLimiter {

  /**
   * Returns the rule that this limiter keeps.
   *
   * @return the policy, the same object on every call
   */
  Policy policy();

  /**
   * Takes permits if the policy admits them now. May block for the store's answer, never for
   * permits.
   *
   * @param key what is limited, not empty
   * @param permits how many permits are asked for, at least 1
   * @return the decision; if it is denied, nothing was taken
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty or {@code permits} is below 1
   * @throws RateLimiterUnavailableException if the store gave no answer; the permits may or may not
   *     have been taken, at most once
   */
  Decision tryAcquire(String key, long permits);

  /**
   * Takes one permit if the policy admits it now: {@code tryAcquire(key, 1)}.
   *
   * @param key what is limited, not empty
   * @return the decision; if it is denied, nothing was taken
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty
   * @throws RateLimiterUnavailableException if the store gave no answer; the permit may or may not
   *     have been taken, at most once
   */
  default Decision tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /**
   * Takes permits if the policy admits them now, without blocking the caller.
   *
   * <p>Bad arguments are refused at once, by an exception thrown to the caller. A store that gives
   * no answer completes the stage with {@link RateLimiterUnavailableException}. Cancelling the
   * stage does not give permits back.
   *
   * @param key what is limited, not empty
   * @param permits how many permits are asked for, at least 1
   * @return a stage that completes with the decision
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty or {@code permits} is below 1
   */
  CompletionStage<Decision> tryAcquireAsync(String key, long permits);

  /**
   * Takes one permit if the policy admits it now, without blocking the caller: {@code
   * tryAcquireAsync(key, 1)}.
   *
   * @param key what is limited, not empty
   * @return a stage that completes with the decision
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty
   */
  default CompletionStage<Decision> tryAcquireAsync(String key) {
    return tryAcquireAsync(key, 1);
  }

  /**
   * Answers what {@link #tryAcquire(String, long)} would answer now, and takes and writes nothing.
   *
   * <p>The answer is old as soon as somebody else acquires: to limit, call {@code tryAcquire}
   * alone, never {@code peek} first.
   *
   * @param key what is limited, not empty
   * @param permits how many permits are asked about, at least 1
   * @return the decision that {@code tryAcquire} would have made; for one that it would have
   *     admitted, {@link Decision#remaining()} and {@link Decision#resetAfter()} are those after it
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty or {@code permits} is below 1
   * @throws RateLimiterUnavailableException if the store gave no answer
   */
  Decision peek(String key, long permits);

  /**
   * Answers what {@link #tryAcquire(String)} would answer now: {@code peek(key, 1)}.
   *
   * @param key what is limited, not empty
   * @return the decision that {@code tryAcquire} would have made
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty
   * @throws RateLimiterUnavailableException if the store gave no answer
   */
  default Decision peek(String key) {
    return peek(key, 1);
  }

  /**
   * Forgets a key: afterwards it behaves as new. A key that has no state stays as it is.
   *
   * @param key what is limited, not empty
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if {@code key} is empty
   * @throws RateLimiterUnavailableException if the store gave no answer; the key may or may not
   *     have been reset
   */
  void reset(String key);
}
