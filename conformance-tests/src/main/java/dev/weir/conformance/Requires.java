package dev.weir.conformance;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the features without which a rule cannot be checked: then it is skipped, with a reason. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Requires {

  /**
   * The features that must all be declared.
   *
   * @return the features
   */
  Feature[] value() default {};

  /**
   * Features of which at least one must be declared, if there are any here.
   *
   * @return the features
   */
  Feature[] anyOf() default {};
}
