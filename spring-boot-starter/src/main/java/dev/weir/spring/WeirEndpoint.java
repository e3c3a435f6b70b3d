package dev.weir.spring;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.spring.WeirProperties.OnUnavailable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The Actuator endpoint {@code weir}: the policies, and the state of one key. To reset a key lifts
 * a limit, so that it takes {@code management.endpoint.weir.access: unrestricted}.
 */
@Endpoint(id = "weir", defaultAccess = Access.READ_ONLY)
final class WeirEndpoint {

  private final RateLimiterRegistry registry;

  WeirEndpoint(RateLimiterRegistry registry) {
    this.registry = registry;
  }

  /** Returns the policies by name. */
  @ReadOperation
  Map<String, PolicyView> policies() {
    Map<String, PolicyView> views = new LinkedHashMap<>();
    for (NamedLimiter limiter : registry.all()) {
      WeirProperties.PolicyProperties properties = limiter.properties();
      views.put(
          limiter.name(),
          new PolicyView(
              properties.algorithm(),
              limiter.store(),
              limiter.quota().toString(),
              properties.paths(),
              properties.methods(),
              properties.key(),
              properties.onUnavailable()));
    }
    return views;
  }

  /** Answers what a request for one permit would be answered now, and takes nothing. */
  @ReadOperation
  DecisionView peek(@Selector String policy, String key) {
    Decision decision = limiter(policy, key).peek(key);
    return new DecisionView(
        decision.allowed(),
        decision.limit(),
        decision.remaining(),
        decision.retryAfter(),
        decision.resetAfter());
  }

  /** Forgets one key. */
  @DeleteOperation
  void reset(@Selector String policy, String key) {
    limiter(policy, key).reset(key);
  }

  private RateLimiter limiter(String policy, String key) {
    if (key.isEmpty()) {
      throw refused("key is empty, must have at least 1 character");
    }
    if (!registry.policies().contains(policy)) {
      throw refused("there is no such policy, must be one of " + registry.policies());
    }
    return registry.get(policy);
  }

  private static InvalidEndpointRequestException refused(String reason) {
    return new InvalidEndpointRequestException(reason, reason);
  }

  /** A policy, as it is shown. */
  record PolicyView(
      String algorithm,
      String store,
      String quota,
      List<String> paths,
      Set<String> methods,
      WeirProperties.Key key,
      OnUnavailable onUnavailable) {}

  /** A decision, as it is shown. */
  record DecisionView(
      boolean allowed, long limit, long remaining, Duration retryAfter, Duration resetAfter) {}
}
