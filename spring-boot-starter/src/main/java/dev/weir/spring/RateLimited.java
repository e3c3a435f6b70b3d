package dev.weir.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the calls of a method of a Spring bean by a policy under {@code weir.policies}.
 *
 * <p>A call that is denied ends in {@link RateLimitExceededException}, one whose limiter has no
 * answer in {@link dev.weir.RateLimiterUnavailableException}; the method does not run. In a web
 * application they are answered as the filter answers: 429 and 503, with a problem body.
 *
 * <p>The limiter is asked in the caller's thread, which may block for the store's answer, up to the
 * limiter's own deadline. A method that returns a {@code Mono} or {@code Flux} is limited for each
 * subscription, without blocking.
 *
 * <p>As with every annotation that Spring keeps by proxies, a call from within the bean itself is
 * not seen.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface RateLimited {

  /**
   * The name of the policy.
   *
   * @return the name, which must be one under {@code weir.policies}
   */
  String value();

  /**
   * What is limited: an expression (SpEL) over the method's arguments by name, such as {@code
   * #account.id}, with {@code @bean} for beans and the bean itself as root. Its value as text is
   * the key.
   *
   * @return the expression; empty, which is the default, lets all callers of all methods with this
   *     policy share one key, {@code method}
   */
  String key() default "";

  /**
   * What a call costs: an expression like {@link #key()}, whose value is a number of permits; less
   * than 1 counts as 1.
   *
   * @return the expression; empty, which is the default, is 1
   */
  String cost() default "";
}
