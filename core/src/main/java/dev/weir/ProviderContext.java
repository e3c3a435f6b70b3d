package dev.weir;

import dev.weir.internal.Bounds;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A provider context carries what a provider needs beside the quota: a namespace, optionally a
 * clock, and resources by their type, such as a Redis client.
 *
 * <p>Immutable; the {@code with} methods return changed copies. Safe for use by any number of
 * threads as long as the resources are.
 */
public final class ProviderContext {

  private final String namespace;
  private final Optional<InstantSource> clock;
  private final Map<Class<?>, Object> resources;

  private ProviderContext(
      String namespace, Optional<InstantSource> clock, Map<Class<?>, Object> resources) {
    this.namespace = namespace;
    this.clock = clock;
    this.resources = resources;
  }

  /**
   * Returns a context of a namespace, without a clock or resources.
   *
   * @param namespace separates limiters on one store, not empty
   * @return the context
   * @throws NullPointerException if {@code namespace} is null
   * @throws IllegalArgumentException if {@code namespace} is empty
   */
  public static ProviderContext of(String namespace) {
    return new ProviderContext(Bounds.checkNamespace(namespace), Optional.empty(), Map.of());
  }

  /**
   * Returns this context with another namespace, so that one set of resources serves several
   * limiters.
   *
   * @param namespace separates limiters on one store, not empty
   * @return the changed copy
   * @throws NullPointerException if {@code namespace} is null
   * @throws IllegalArgumentException if {@code namespace} is empty
   */
  public ProviderContext withNamespace(String namespace) {
    return new ProviderContext(Bounds.checkNamespace(namespace), clock, resources);
  }

  /**
   * Returns this context with a clock that limiters are to read instead of their own.
   *
   * @param clock the clock; tests and replays set it, production leaves it out
   * @return the changed copy
   * @throws NullPointerException if {@code clock} is null
   */
  public ProviderContext withClock(InstantSource clock) {
    return new ProviderContext(namespace, Optional.of(clock), resources);
  }

  /**
   * Returns this context with a resource; one of the same type is replaced.
   *
   * @param type the type under which providers ask for the resource
   * @param resource the resource
   * @param <T> the type
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   * @throws ClassCastException if {@code resource} is not of the type
   */
  public <T> ProviderContext with(Class<T> type, T resource) {
    Map<Class<?>, Object> copy = new HashMap<>(resources);
    copy.put(type, type.cast(Objects.requireNonNull(resource, "resource")));
    return new ProviderContext(namespace, clock, Map.copyOf(copy));
  }

  /**
   * Returns the namespace.
   *
   * @return what separates limiters on one store, not empty
   */
  public String namespace() {
    return namespace;
  }

  /**
   * Returns the clock that limiters are to read instead of their own.
   *
   * @return the clock, or empty where limiters take their own
   */
  public Optional<InstantSource> clock() {
    return clock;
  }

  /**
   * Returns a resource if the context has it.
   *
   * @param type the type under which it was put in
   * @param <T> the type
   * @return the resource, or empty
   * @throws NullPointerException if {@code type} is null
   */
  public <T> Optional<T> find(Class<T> type) {
    return Optional.ofNullable(resources.get(type)).map(type::cast);
  }

  /**
   * Returns a resource that the caller cannot do without.
   *
   * @param type the type under which it was put in
   * @param <T> the type
   * @return the resource
   * @throws NullPointerException if {@code type} is null
   * @throws IllegalArgumentException if the context lacks it
   */
  public <T> T require(Class<T> type) {
    return find(type)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the context lacks a resource of type "
                        + type.getName()
                        + ", add it by ProviderContext.with"));
  }
}
