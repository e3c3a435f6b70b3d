package dev.weir.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code weir}. A property that is not one of them is refused, for a limit
 * with a misspelt bound would be none.
 *
 * @param namespace what applications that share a Redis must set apart; the name of the application
 *     by default
 * @param filterOrder the order of the filter; by default it runs before Spring Security, or after
 *     it if a policy counts by user
 * @param policies the policies by name, in the order in which requests ask them
 * @param clientAddress how the address of a client is found
 */
@ConfigurationProperties(prefix = "weir", ignoreUnknownFields = false)
public record WeirProperties(
    @Nullable String namespace,
    @Nullable Integer filterOrder,
    @DefaultValue Map<String, PolicyProperties> policies,
    @DefaultValue AddressProperties clientAddress) {

  /**
   * The properties under {@code weir.policies.NAME}.
   *
   * @param algorithm the name of the algorithm
   * @param limit permits per window, from 1 to 10<sup>12</sup>; required
   * @param window the window, from 1 ms to 366 days; required
   * @param burst the capacity of a token bucket; the limit by default
   * @param store the name of the store; {@code redis} if there is a RedissonClient, else {@code
   *     memory}
   * @param paths the paths that the filter counts; without any, the policy limits only what asks
   *     for it by name
   * @param methods the HTTP methods that the filter counts; all by default
   * @param key who is counted by the filter
   * @param onUnavailable what decides when the store has no answer
   */
  public record PolicyProperties(
      @DefaultValue("sliding-window") String algorithm,
      @Nullable Long limit,
      @Nullable Duration window,
      @Nullable Long burst,
      @Nullable String store,
      @DefaultValue List<String> paths,
      @DefaultValue Set<String> methods,
      @DefaultValue("address") Key key,
      @DefaultValue("deny") OnUnavailable onUnavailable) {}

  /** Who is counted. */
  public enum Key {
    /** The client's address. */
    ADDRESS,

    /** The name of the user, or the client's address where nobody is logged in. */
    USER
  }

  /** What decides when a store has no answer. */
  public enum OnUnavailable {
    /** Nothing: the request is answered with 503. */
    DENY,

    /** Everything is admitted until the store answers again. */
    ALLOW,

    /** A limiter in the memory of this instance, with the same limit. */
    MEMORY
  }

  /**
   * The properties under {@code weir.client-address}.
   *
   * @param trustedProxies the proxies' own addresses, such as {@code 10.0.0.0/8}; nobody is trusted
   *     by default
   * @param header the header in which they say whom they forward
   * @param ipv6Prefix the bits of an IPv6 address that tell clients apart, from 48 to 128
   */
  public record AddressProperties(
      @DefaultValue List<String> trustedProxies,
      @DefaultValue("X-Forwarded-For") String header,
      @DefaultValue("64") int ipv6Prefix) {}
}
