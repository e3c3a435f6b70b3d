package dev.weir.conformance;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares what a limiter promises, on the class that extends {@link RateLimiterConformance}.
 *
 * <p>Without it a limiter promises what the limiters of this library do, apart from what needs more
 * than {@code create}: {@link Feature#SHARED_STATE}, {@link Feature#FAILURES} and {@link
 * Feature#BOUNDED_STATE}. The promise is {@link #value()} with {@link #also()} and without {@link
 * #except()}; a declaration replaces that of a superclass.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Supports {

  /**
   * The promised features; by default the standard ones.
   *
   * @return the features to start from
   */
  Feature[] value() default {
    Feature.VIRTUAL_TIME,
    Feature.WEIGHTS,
    Feature.OVERSIZE,
    Feature.REMAINING,
    Feature.RETRY_AFTER,
    Feature.EXACT_RETRY_AFTER,
    Feature.RESET_AFTER,
    Feature.EXACT_RESET_AFTER,
    Feature.PEEK,
    Feature.RESET,
    Feature.CLOCK_STEPS,
    Feature.NAMESPACES,
    Feature.EXACT_DECISIONS
  };

  /**
   * Features promised beside those of {@link #value()}.
   *
   * @return the features to add
   */
  Feature[] also() default {};

  /**
   * Features of {@link #value()} that are not promised.
   *
   * @return the features to leave out
   */
  Feature[] except() default {};
}
