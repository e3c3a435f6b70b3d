package dev.weir.servlet;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The init parameters of a filter that a container makes. Parameters of a policy may be written
 * with the policy's name and a dot before them, to hold for that policy alone.
 */
final class InitParameters {

  private static final String POLICIES = "policies";
  private static final String NAMESPACE = "namespace";
  private static final String TRUSTED_PROXIES = "trustedProxies";
  private static final String CLIENT_HEADER = "clientHeader";
  private static final String IPV6_PREFIX = "ipv6Prefix";
  private static final String HEADERS = "headers";
  private static final String EPOCH_RESET = "epochReset";
  private static final String IGNORE_CASE = "ignoreCase";
  private static final String EXPOSE_CORS = "exposeCors";
  private static final String STORE = "store";
  private static final String ALGORITHM = "algorithm";
  private static final String QUOTA = "quota";
  private static final String PATHS = "paths";
  private static final String METHODS = "methods";
  private static final String KEY = "key";
  private static final String ON_UNAVAILABLE = "onUnavailable";

  private static final Set<String> OF_FILTER =
      Set.of(
          POLICIES,
          NAMESPACE,
          TRUSTED_PROXIES,
          CLIENT_HEADER,
          IPV6_PREFIX,
          HEADERS,
          EPOCH_RESET,
          IGNORE_CASE,
          EXPOSE_CORS);
  private static final Set<String> OF_POLICY =
      Set.of(STORE, ALGORITHM, QUOTA, PATHS, METHODS, KEY, ON_UNAVAILABLE);

  private final FilterConfig config;
  private final List<String> policies;

  private InitParameters(FilterConfig config) {
    this.config = config;
    this.policies = list(value(POLICIES, config.getFilterName()));
  }

  /** Returns what the parameters say. */
  static RateLimitFilter.Settings read(FilterConfig config) throws ServletException {
    try {
      return new InitParameters(config).builder().settings();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new ServletException("filter '" + config.getFilterName() + "': " + e.getMessage(), e);
    }
  }

  private RateLimitFilter.Builder builder() {
    refuseUnknown();
    RateLimitFilter.Builder builder = null;
    for (String policy : policies) {
      RateLimiter limiter = limiter(policy, value(policy, STORE, "memory"));
      builder = builder == null ? RateLimitFilter.builder(limiter) : builder.policy(limiter);
      describe(builder.name(policy), policy);
    }
    if (builder == null) {
      throw wrong(POLICIES, value(POLICIES, ""), "one or more names, separated by commas");
    }
    String families = given(HEADERS);
    if (families != null) {
      builder.headers(list(families).stream().map(this::family).toArray(HeaderFamily[]::new));
    }
    return builder
        .clientAddress(clientAddress())
        .epochReset(flag(EPOCH_RESET))
        .ignoreCase(flag(IGNORE_CASE))
        .exposeCors(flag(EXPOSE_CORS));
  }

  private void refuseUnknown() {
    Set<String> known = new TreeSet<>(OF_FILTER);
    known.addAll(OF_POLICY);
    for (String name : Collections.list(config.getInitParameterNames())) {
      boolean ofOnePolicy =
          policies.stream()
              .anyMatch(
                  p ->
                      name.startsWith(p + ".")
                          && OF_POLICY.contains(name.substring(p.length() + 1)));
      if (!known.contains(name) && !ofOnePolicy) {
        throw new IllegalArgumentException(
            "there is no init-param '"
                + name
                + "'; known are "
                + String.join(", ", known)
                + ", and NAME.PARAM for the policies "
                + policies);
      }
    }
  }

  private RateLimiter limiter(String policy, String store) {
    String quota = value(policy, QUOTA, "");
    if (quota.isEmpty()) {
      throw new IllegalArgumentException(
          "init-param quota is missing for the policy '" + policy + "', such as 100/1m");
    }
    // Policies in one namespace would be versions of one policy and share their counts.
    String namespace = value(NAMESPACE, config.getFilterName()) + "." + policy;
    ProviderContext context =
        config.getServletContext().getAttribute(ProviderContext.class.getName())
                instanceof ProviderContext given
            ? given.withNamespace(namespace)
            : ProviderContext.of(namespace);
    return RateLimiters.create(
        store, value(policy, ALGORITHM, "sliding-window"), Quota.parse(quota), context);
  }

  private void describe(RateLimitFilter.Builder builder, String policy) {
    String paths = value(policy, PATHS, "");
    if (!paths.isEmpty()) {
      builder.paths(list(paths).toArray(String[]::new));
    }
    String methods = value(policy, METHODS, "");
    if (!methods.isEmpty()) {
      builder.methods(list(methods).toArray(String[]::new));
    }
    String key = value(policy, KEY, "address");
    if (key.equals("user")) {
      builder.keyByUser();
    } else if (!key.equals("address")) {
      throw wrong(KEY, key, "address or user");
    }
    String action = value(policy, ON_UNAVAILABLE, "deny");
    switch (action) {
      case "allow" -> builder.onUnavailable(WhenUnavailable.ALLOW);
      case "deny" -> builder.onUnavailable(WhenUnavailable.DENY);
      default -> builder.onUnavailable(limiter(policy, action));
    }
  }

  private ClientAddress clientAddress() {
    String proxies = value(TRUSTED_PROXIES, "");
    ClientAddress client =
        proxies.isEmpty()
            ? ClientAddress.ofPeer()
            : ClientAddress.behind(list(proxies).toArray(String[]::new));
    String header = value(CLIENT_HEADER, "");
    if (header.equalsIgnoreCase("Forwarded")) {
      client = client.readingForwarded();
    } else if (!header.isEmpty() && !header.equalsIgnoreCase("X-Forwarded-For")) {
      client = client.readingHeader(header);
    }
    String prefix = value(IPV6_PREFIX, "");
    try {
      return prefix.isEmpty() ? client : client.withIpv6Prefix(Integer.parseInt(prefix));
    } catch (NumberFormatException e) {
      throw wrong(IPV6_PREFIX, prefix, "a number from 48 to 128");
    }
  }

  private HeaderFamily family(String name) {
    return switch (name) {
      case "x-ratelimit" -> HeaderFamily.X_RATELIMIT;
      case "ietf" -> HeaderFamily.IETF;
      default -> throw wrong(HEADERS, name, "x-ratelimit, ietf, both or nothing");
    };
  }

  private boolean flag(String name) {
    String value = value(name, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw wrong(name, value, "true or false");
    }
    return value.equals("true");
  }

  private static IllegalArgumentException wrong(String name, String value, String must) {
    return new IllegalArgumentException(
        "init-param " + name + " is '" + value + "', must be " + must);
  }

  private @Nullable String given(String name) {
    String value = config.getInitParameter(name);
    return value == null ? null : value.strip();
  }

  private String value(String name, String otherwise) {
    String value = given(name);
    return value == null ? otherwise : value;
  }

  private String value(String policy, String name, String otherwise) {
    String own = given(policy + "." + name);
    return own == null ? value(name, otherwise) : own;
  }

  private static List<String> list(String value) {
    return Arrays.stream(value.split(",")).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }
}
