package dev.weir.conformance.internal.jqwik;

import dev.weir.conformance.Rule;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Sets how many scenarios each rule is tried with, and from which seed: the system properties
 * {@code weir.conformance.tries} and {@code weir.conformance.seed}.
 */
public final class Effort implements AroundPropertyHook {

  /** Enough to find every fault of the kill matrix; few enough for limiters behind a network. */
  static final int DEFAULT_TRIES = 150;

  /** A call to a store that does not answer takes a whole timeout. */
  private static final int FAILURES_ARE_SLOWER = 15;

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    int tries = Integer.getInteger("weir.conformance.tries", DEFAULT_TRIES);
    Rule rule = context.findAnnotation(Verifies.class).map(Verifies::value).orElse(null);
    if (rule == Rule.STORE_FAILURE || rule == Rule.LOST_REPLY) {
      tries /= FAILURES_ARE_SLOWER;
    }
    context.attributes().setTries(Math.max(1, tries));
    context.attributes().setAfterFailure(AfterFailureMode.PREVIOUS_SEED);
    String seed = System.getProperty("weir.conformance.seed");
    if (seed != null) {
      context.attributes().setSeed(seed);
    }
    return property.execute();
  }

  @Override
  public int aroundPropertyProximity() {
    // Outside of everything else, so that others see the attributes.
    return -100;
  }
}
