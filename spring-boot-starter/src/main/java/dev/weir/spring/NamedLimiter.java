package dev.weir.spring;

import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.servlet.HttpPolicy;
import dev.weir.spring.WeirProperties.PolicyProperties;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A limiter and what its properties say.
 *
 * @param http how clients see it, and which requests it counts
 * @param properties the properties
 * @param quota the quota that they describe
 * @param store the name of its store
 * @param limiter the limiter, with its fallback if it has one
 * @param kept what must live as long as the limiter
 */
record NamedLimiter(
    HttpPolicy http,
    PolicyProperties properties,
    Quota quota,
    String store,
    RateLimiter limiter,
    List<Object> kept) {

  String name() {
    return http.name();
  }

  boolean isForRequests() {
    return !properties.paths().isEmpty();
  }

  static String property(String policy, String property) {
    return "weir.policies." + policy + "." + property;
  }

  static Quota quota(String policy, PolicyProperties properties) {
    Long limit = properties.limit();
    if (limit == null) {
      throw missing(policy, "limit", "a number of permits such as 100");
    }
    if (properties.window() == null) {
      throw missing(policy, "window", "a duration such as 1m");
    }
    Long burst = properties.burst();
    try {
      return new Quota(
          limit,
          properties.window(),
          burst == null ? OptionalLong.empty() : OptionalLong.of(burst));
    } catch (IllegalArgumentException e) {
      // The messages of Quota begin with the name of its component, which is that of the property.
      throw new PropertyException(property(policy, String.valueOf(e.getMessage())), e);
    }
  }

  private static PropertyException missing(String policy, String property, String what) {
    return new PropertyException(property(policy, property) + " is missing, must be " + what, null);
  }

  static HttpPolicy http(String policy, PolicyProperties properties, RateLimiter limiter) {
    HttpPolicy http = checked("weir.policies", () -> HttpPolicy.of(policy, limiter.policy()));
    if (!properties.paths().isEmpty()) {
      HttpPolicy all = http;
      http = checked(property(policy, "paths"), () -> all.withPaths(properties.paths()));
    }
    if (!properties.methods().isEmpty()) {
      HttpPolicy all = http;
      http = checked(property(policy, "methods"), () -> all.withMethods(properties.methods()));
    }
    return http;
  }

  /** Lets a refusal name the property that caused it. */
  static <T> T checked(String property, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new PropertyException(property + ": " + e.getMessage(), e);
    }
  }
}
