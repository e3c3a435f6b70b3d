package dev.weir;

import java.time.Duration;

/**
 * A policy is the immutable rule of one algorithm: how much it admits, and over what time.
 *
 * <p>The policies of this library are records; an author of another algorithm implements this
 * interface. Implementations are immutable and so safe for use by any number of threads.
 */
public interface Policy {

  /**
   * Returns the most permits that one request can be admitted with: on a new key, a request for so
   * many is admitted and one for more never is.
   *
   * @return the limit in permits, at least 1
   */
  long limit();

  /**
   * Returns a number of permits that is never exceeded by what is admitted for one key in any
   * half-open interval of the given length.
   *
   * <p>The interval counts in whole microseconds, rounded up, for that is the resolution of every
   * limiter here.
   *
   * @param interval the length of the interval
   * @return the bound in permits; 0 for an interval that is zero or negative; {@link
   *     Long#MAX_VALUE} if the bound is greater
   * @throws NullPointerException if {@code interval} is null
   */
  long admissionBound(Duration interval);

  /**
   * Returns the longest time for which what happened to a key matters: a key that nobody asked for
   * so long is as new.
   *
   * <p>Rule 3.1, on clocks that step back, is written in terms of it.
   *
   * @return the life of a state, at least one microsecond
   */
  Duration life();
}
