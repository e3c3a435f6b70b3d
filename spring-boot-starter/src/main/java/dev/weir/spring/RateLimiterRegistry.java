package dev.weir.spring;

import dev.weir.RateLimiter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The limiters of the policies under {@code weir.policies}, by name.
 *
 * <p>Immutable. Methods do not block and are safe for use by any number of threads.
 */
public final class RateLimiterRegistry {

  private final Map<String, NamedLimiter> limiters;

  RateLimiterRegistry(Map<String, NamedLimiter> limiters) {
    this.limiters = Collections.unmodifiableMap(new LinkedHashMap<>(limiters));
  }

  /**
   * Returns the limiter of a policy.
   *
   * @param policy the name of the policy
   * @return the limiter, the same object on every call
   * @throws NullPointerException if {@code policy} is null
   * @throws IllegalArgumentException if there is no such policy; the message says which there are
   */
  public RateLimiter get(String policy) {
    return named(policy).limiter();
  }

  /**
   * Returns the names of the policies, in their order.
   *
   * @return the names, an immutable set
   */
  public Set<String> policies() {
    return limiters.keySet();
  }

  NamedLimiter named(String policy) {
    NamedLimiter limiter = limiters.get(policy);
    if (limiter == null) {
      throw new IllegalArgumentException(
          "policy is '" + policy + "', must be one of weir.policies: " + limiters.keySet());
    }
    return limiter;
  }

  Iterable<NamedLimiter> all() {
    return limiters.values();
  }
}
