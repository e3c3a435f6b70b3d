package dev.weir;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Creates limiters by the names of their store and algorithm, so that switching the algorithm means
 * changing one word of a configuration.
 *
 * <p>Providers are found on the class path or module path by {@link ServiceLoader}, with the
 * thread's context class loader. Methods do not block and are safe for use by any number of
 * threads; each call looks the providers up anew, so call them at start, not per request.
 */
public final class RateLimiters {

  private RateLimiters() {}

  /**
   * Creates a limiter.
   *
   * @param store the name of the store, such as {@code memory} or {@code redis}
   * @param algorithm the name of the algorithm, such as {@code sliding-window}
   * @param quota what to admit
   * @param context the namespace, the clock and the resources
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if no provider has these names (the message says which ones
   *     are there), if two have, if the algorithm cannot keep this quota, or if the context lacks a
   *     resource
   */
  public static RateLimiter create(
      String store, String algorithm, Quota quota, ProviderContext context) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(quota, "quota");
    Objects.requireNonNull(context, "context");
    List<RateLimiterProvider> all = providers();
    List<RateLimiterProvider> matching =
        all.stream()
            .filter(p -> p.store().equals(store) && p.algorithm().equals(algorithm))
            .toList();
    if (matching.size() == 1) {
      return matching.get(0).create(quota, context);
    }
    String asked = "store '" + store + "' and algorithm '" + algorithm + "'";
    if (matching.isEmpty()) {
      String there =
          all.stream().map(p -> p.store() + " " + p.algorithm()).collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "no provider has "
              + asked
              + "; "
              + (there.isEmpty()
                  ? "there are none on the class path, add a module such as weir-in-memory"
                  : "on the class path are: " + there));
    }
    throw new IllegalArgumentException(
        "more than one provider has "
            + asked
            + ": "
            + matching.stream().map(p -> p.getClass().getName()).collect(Collectors.joining(", ")));
  }

  /**
   * Returns the providers that are there, by store and then by algorithm.
   *
   * @return the providers, an immutable list
   */
  public static List<RateLimiterProvider> providers() {
    return ServiceLoader.load(RateLimiterProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(
            Comparator.comparing(RateLimiterProvider::store)
                .thenComparing(RateLimiterProvider::algorithm))
        .toList();
  }
}
