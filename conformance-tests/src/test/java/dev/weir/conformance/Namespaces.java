package dev.weir.conformance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store in memory: for each namespace the states of its keys. */
final class Namespaces<S> {

  private final Map<String, Map<String, S>> states = new ConcurrentHashMap<>();

  @SuppressWarnings("unchecked")
  static <S> Map<String, S> of(Fixture fixture) {
    Namespaces<S> namespaces = (Namespaces<S>) fixture.shared(Namespaces.class, Namespaces<S>::new);
    return namespaces.states.computeIfAbsent(
        fixture.namespace(), namespace -> new ConcurrentHashMap<>());
  }
}
