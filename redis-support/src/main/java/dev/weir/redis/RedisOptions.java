package dev.weir.redis;

import dev.weir.ProviderContext;
import dev.weir.internal.Bounds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * Redis options say where a limiter on Redis keeps its keys and how long a caller waits for an
 * answer.
 *
 * <p>Immutable; the {@code with} methods return changed copies. Safe for use by any number of
 * threads.
 */
public final class RedisOptions {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
  private static final RedisOptions DEFAULTS =
      new RedisOptions("default", Duration.ofMillis(500), 10_000, Optional.empty());

  private final String namespace;
  private final Duration timeout;
  private final int maxWaiting;
  private final Optional<InstantSource> clock;

  private RedisOptions(
      String namespace, Duration timeout, int maxWaiting, Optional<InstantSource> clock) {
    this.namespace = namespace;
    this.timeout = timeout;
    this.maxWaiting = maxWaiting;
    this.clock = clock;
  }

  /**
   * Returns the options that a limiter has if nothing else is said: namespace {@code default}, a
   * timeout of 500 ms, at most 10,000 waiting callers, the server's clock.
   *
   * @return the default options
   */
  public static RedisOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns the options of a provider's context: those among its resources, or else the defaults,
   * with the namespace and, where it has one, the clock of the context.
   *
   * @param context the context
   * @return the options
   * @throws NullPointerException if {@code context} is null
   */
  public static RedisOptions of(ProviderContext context) {
    RedisOptions options =
        context.find(RedisOptions.class).orElse(DEFAULTS).withNamespace(context.namespace());
    return context.clock().map(options::withClock).orElse(options);
  }

  /**
   * Returns these options with another namespace.
   *
   * <p>Limiters of one algorithm in one namespace of one server share the state of a key, wherever
   * they run.
   *
   * @param namespace separates limiters on one server, not empty
   * @return the changed copy
   * @throws NullPointerException if {@code namespace} is null
   * @throws IllegalArgumentException if {@code namespace} is empty
   */
  public RedisOptions withNamespace(String namespace) {
    return new RedisOptions(Bounds.checkNamespace(namespace), timeout, maxWaiting, clock);
  }

  /**
   * Returns these options with another timeout.
   *
   * @param timeout how long a caller waits at most for the answer to one call, from 1 ms to 1 h
   * @return the changed copy
   * @throws NullPointerException if {@code timeout} is null
   * @throws IllegalArgumentException if {@code timeout} is out of its bounds
   */
  public RedisOptions withTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException("timeout is " + timeout + ", must be from 1 ms to 1 h");
    }
    return new RedisOptions(namespace, timeout, maxWaiting, clock);
  }

  /**
   * Returns these options with another bound on waiting callers.
   *
   * @param maxWaiting how many callers of one limiter may wait for Redis at the same time, at least
   *     1; one more fails at once
   * @return the changed copy
   * @throws IllegalArgumentException if {@code maxWaiting} is below 1
   */
  public RedisOptions withMaxWaiting(int maxWaiting) {
    if (maxWaiting < 1) {
      throw new IllegalArgumentException("maxWaiting is " + maxWaiting + ", must be at least 1");
    }
    return new RedisOptions(namespace, timeout, maxWaiting, clock);
  }

  /**
   * Returns these options with a clock to read instead of the server's.
   *
   * <p>For tests and replays only: in production the server's clock is the one that all callers
   * agree on. Whoever injects a clock also deletes the keys, which then live for at least an hour
   * of the server's time. A decision fails with {@link IllegalArgumentException} when the clock
   * says a time before 1970 or after 2<sup>53</sup> microseconds, in the year 2255.
   *
   * @param clock the clock
   * @return the changed copy
   * @throws NullPointerException if {@code clock} is null
   */
  public RedisOptions withClock(InstantSource clock) {
    return new RedisOptions(namespace, timeout, maxWaiting, Optional.of(clock));
  }

  /**
   * Returns the namespace.
   *
   * @return what separates limiters on one server, not empty
   */
  public String namespace() {
    return namespace;
  }

  /**
   * Returns the timeout.
   *
   * @return how long a caller waits at most for the answer to one call
   */
  public Duration timeout() {
    return timeout;
  }

  /**
   * Returns the bound on waiting callers.
   *
   * @return how many callers of one limiter may wait for Redis at the same time
   */
  public int maxWaiting() {
    return maxWaiting;
  }

  /**
   * Returns the clock to read instead of the server's.
   *
   * @return the clock, or empty where the server's is read
   */
  public Optional<InstantSource> clock() {
    return clock;
  }
}
