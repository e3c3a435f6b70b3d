package dev.weir.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A store in memory holds the state of limiters: those built on one store object, in one namespace
 * and of one algorithm share it, and so act as one.
 *
 * <p>A limiter built without a store has its own. State lives as long as the store is reachable.
 * Safe for use by any number of threads.
 */
public final class InMemoryStore {

  private final ConcurrentHashMap<TableName, KeyTable<?>> tables = new ConcurrentHashMap<>();

  private InMemoryStore() {}

  /**
   * Returns a new, empty store.
   *
   * @return the store
   */
  public static InMemoryStore create() {
    return new InMemoryStore();
  }

  /**
   * Returns the number of keys that have a state, of all limiters on this store.
   *
   * @return the number of keys
   */
  public long keys() {
    long keys = 0;
    for (KeyTable<?> table : tables.values()) {
      keys += table.size();
    }
    return keys;
  }

  @SuppressWarnings("unchecked") // all tables of an algorithm hold the state of that algorithm
  <S extends State<S>> KeyTable<S> table(
      String algorithm, String namespace, Function<String, S> newState) {
    return (KeyTable<S>)
        tables.computeIfAbsent(
            new TableName(algorithm, namespace), name -> new KeyTable<>(newState));
  }

  private record TableName(String algorithm, String namespace) {}
}
