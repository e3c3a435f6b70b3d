package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.Policy;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * An HTTP policy is the name under which clients see a limiter, and which requests it counts: what
 * a {@link RateLimitFilter} knows of a policy, for frameworks without servlets.
 *
 * <p>Immutable: the methods that change something return a changed copy. Methods do not block and
 * are safe for use by any number of threads.
 */
public final class HttpPolicy {

  private final String name;
  private final String quotedName;
  private final String policyItem;
  private final List<PathPattern> paths;
  private final Set<String> methods;

  private HttpPolicy(
      String name,
      String quotedName,
      String policyItem,
      List<PathPattern> paths,
      Set<String> methods) {
    this.name = name;
    this.quotedName = quotedName;
    this.policyItem = policyItem;
    this.paths = paths;
    this.methods = methods;
  }

  /**
   * Returns the policy that counts every request.
   *
   * @param name one or more printable ASCII characters
   * @param policy the limiter's policy
   * @return the policy
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code name} is empty or has other characters
   */
  public static HttpPolicy of(String name, Policy policy) {
    String quotedName = RateLimitFields.quoted(name);
    return new HttpPolicy(
        name,
        quotedName,
        RateLimitFields.policyItem(quotedName, policy),
        List.of(PathPattern.EVERYTHING),
        Set.of());
  }

  /**
   * Returns this policy, restricted to paths as by {@link RateLimitFilter.Builder#paths}.
   *
   * @param patterns paths such as {@code /login}, or {@code /api/*} for {@code /api} and all below
   *     it; at least one
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if there is no pattern, or one has another form
   */
  public HttpPolicy withPaths(Collection<String> patterns) {
    return new HttpPolicy(name, quotedName, policyItem, parsePaths(patterns), methods);
  }

  /**
   * Returns this policy, restricted to methods. {@code GET} includes {@code HEAD}.
   *
   * @param methods names such as {@code POST}, with their case; at least one
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if there is no method, or one is not a token
   */
  public HttpPolicy withMethods(Collection<String> methods) {
    return new HttpPolicy(name, quotedName, policyItem, paths, checkMethods(methods));
  }

  /**
   * Returns the name.
   *
   * @return one or more printable ASCII characters
   */
  public String name() {
    return name;
  }

  /**
   * Tells whether this policy counts a request. The path is decoded and normalised; where it may be
   * read in several ways, as with {@code %2F}, the request counts if any of them matches.
   *
   * @param method the method
   * @param contextPath the path of the application, empty if it is the root
   * @param rawPath the path of the request as it was sent, with the application's, without the
   *     query
   * @return whether the request counts
   * @throws NullPointerException if an argument is null
   */
  public boolean counts(String method, String contextPath, String rawPath) {
    return (methods.isEmpty() || methods.contains(method))
        && (paths.contains(PathPattern.EVERYTHING)
            || PathPattern.anyMatches(paths, RequestPath.readings(contextPath, rawPath), false));
  }

  /**
   * Returns the key of a value that an application knows of a request: {@code KIND:VALUE}, or where
   * that has more than 200 bytes, a digest of it. No two values of one kind and no two kinds have
   * one key.
   *
   * @param kind what the value is, such as {@code user}: 1 to 32 of {@code a-z}, {@code 0-9} and
   *     {@code -}, beginning with a letter, not {@code ip4} or {@code ip6}
   * @param value the value
   * @return the key
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code kind} has another form
   */
  public static String key(String kind, String value) {
    Objects.requireNonNull(value, "value");
    return RequestPolicy.key(RequestPolicy.checkKind(kind), value);
  }

  Verdict verdict(Decision decision) {
    return new Verdict(name, quotedName, policyItem, decision);
  }

  static List<PathPattern> parsePaths(Collection<String> patterns) {
    if (patterns.isEmpty()) {
      throw new IllegalArgumentException("no path is given, must be at least 1");
    }
    return patterns.stream().map(PathPattern::parse).toList();
  }

  static Set<String> checkMethods(Collection<String> methods) {
    if (methods.isEmpty()) {
      throw new IllegalArgumentException("no method is given, must be at least 1");
    }
    Set<String> all = new HashSet<>();
    for (String method : methods) {
      all.add(Http.checkToken("method", method));
    }
    if (all.contains("GET")) {
      all.add("HEAD");
    }
    return Set.copyOf(all);
  }
}
