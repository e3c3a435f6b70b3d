package dev.weir;

/**
 * A provider makes the limiters of one algorithm on one store, and is found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>Users ask by name through {@link RateLimiters}. An author of another limiter implements this
 * interface, names the class in {@code META-INF/services/dev.weir.RateLimiterProvider} and, in a
 * named module, in a {@code provides} line; then it can be created, compared and replayed like the
 * limiters of this library. Implementations are stateless and safe for use by any number of
 * threads.
 */
public interface RateLimiterProvider {

  /**
   * Returns the name of the algorithm.
   *
   * @return {@code fixed-window}, {@code sliding-window}, {@code sliding-window-counter}, {@code
   *     token-bucket}, or a name of the author's
   */
  String algorithm();

  /**
   * Returns the name of the store.
   *
   * @return {@code memory}, {@code redis}, or a name of the author's
   */
  String store();

  /**
   * Creates a limiter. Does not block: a store is first asked when the limiter is.
   *
   * @param quota what to admit
   * @param context the namespace, the clock and the resources
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the algorithm cannot keep this quota, or the context lacks
   *     a resource that the store needs
   */
  RateLimiter create(Quota quota, ProviderContext context);
}
