package dev.weir.conformance.internal.jqwik;

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

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    context.attributes().setTries(Integer.getInteger("weir.conformance.tries", DEFAULT_TRIES));
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
