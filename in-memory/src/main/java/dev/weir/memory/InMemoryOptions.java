package dev.weir.memory;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of a limiter in memory: the namespace, the clock, the store, and the ceiling on keys.
 *
 * <p>Immutable; the {@code with} methods return changed copies. Safe for use by any number of
 * threads as long as the clock and the listener are.
 */
public final class InMemoryOptions {

  /** The ceiling on keys unless it is set: one million. */
  public static final int DEFAULT_MAX_KEYS = 1_000_000;

  private static final InMemoryOptions DEFAULTS =
      new InMemoryOptions("default", null, null, DEFAULT_MAX_KEYS, InMemoryOptions::logOverflow);

  final String namespace;
  final int maxKeys;
  final OverflowListener overflowListener;
  private final @Nullable InstantSource clock;
  private final @Nullable InMemoryStore store;

  private InMemoryOptions(
      String namespace,
      @Nullable InstantSource clock,
      @Nullable InMemoryStore store,
      int maxKeys,
      OverflowListener overflowListener) {
    this.namespace = namespace;
    this.clock = clock;
    this.store = store;
    this.maxKeys = maxKeys;
    this.overflowListener = overflowListener;
  }

  /**
   * Returns the default options: the namespace {@code default}, a clock that never steps back, a
   * store of its own for each limiter, at most {@value #DEFAULT_MAX_KEYS} keys, and a listener that
   * logs a warning.
   *
   * @return the options
   */
  public static InMemoryOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a namespace, which separates limiters on one store.
   *
   * @param namespace the namespace, not empty
   * @return the changed copy
   * @throws NullPointerException if {@code namespace} is null
   * @throws IllegalArgumentException if {@code namespace} is empty
   */
  public InMemoryOptions withNamespace(String namespace) {
    return new InMemoryOptions(
        Bounds.checkNamespace(namespace), clock, store, maxKeys, overflowListener);
  }

  /**
   * Returns these options with a clock, for tests and replays.
   *
   * <p>Without one, limiters read the wall clock once in the life of the JVM and from then on
   * {@link System#nanoTime()}: such a clock neither steps back nor follows corrections of the wall
   * clock. A clock given here may step back; what limiters then promise is rule 3.1 in {@code
   * docs/rules.md}. Limiters that share state should share the clock.
   *
   * @param clock the clock, from 1970 to the year 2255; a limiter that finds it outside throws
   *     {@link IllegalArgumentException}
   * @return the changed copy
   * @throws NullPointerException if {@code clock} is null
   */
  public InMemoryOptions withClock(InstantSource clock) {
    return new InMemoryOptions(
        namespace, Objects.requireNonNull(clock, "clock"), store, maxKeys, overflowListener);
  }

  /**
   * Returns these options with a store, which limiters share their state through.
   *
   * @param store the store
   * @return the changed copy
   * @throws NullPointerException if {@code store} is null
   */
  public InMemoryOptions withStore(InMemoryStore store) {
    return new InMemoryOptions(
        namespace, clock, Objects.requireNonNull(store, "store"), maxKeys, overflowListener);
  }

  /**
   * Returns these options with a ceiling on keys.
   *
   * <p>When so many keys have a state, keys without one share a single state, so that memory stays
   * bounded and no key that is being limited is forgotten. The package documentation says more.
   *
   * @param maxKeys the ceiling, at least 1; where limiters with different ceilings share state,
   *     each looks at its own
   * @return the changed copy
   * @throws IllegalArgumentException if {@code maxKeys} is below 1
   */
  public InMemoryOptions withMaxKeys(int maxKeys) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("maxKeys is " + maxKeys + ", must be at least 1");
    }
    return new InMemoryOptions(namespace, clock, store, maxKeys, overflowListener);
  }

  /**
   * Returns these options with a listener that is told when the ceiling on keys is reached.
   *
   * @param listener the listener, instead of the one that logs a warning
   * @return the changed copy
   * @throws NullPointerException if {@code listener} is null
   */
  public InMemoryOptions withOverflowListener(OverflowListener listener) {
    return new InMemoryOptions(
        namespace, clock, store, maxKeys, Objects.requireNonNull(listener, "listener"));
  }

  /** Whether the clock is the one that never steps back. */
  boolean hasSteadyClock() {
    return clock == null;
  }

  /** Returns the source of the time in microseconds since 1970. */
  LongSupplier nowMicros() {
    InstantSource clock = this.clock;
    return clock == null ? SteadyClock::nowMicros : () -> Micros.of(clock.instant());
  }

  InMemoryStore storeOrNew() {
    return store == null ? InMemoryStore.create() : store;
  }

  private static void logOverflow(String algorithm, String namespace, int maxKeys) {
    System.getLogger(InMemoryOptions.class.getPackageName())
        .log(
            Level.WARNING,
            "{0} limiter in namespace {1} has {2,number,#} keys, its ceiling: new keys share one state",
            algorithm,
            namespace,
            maxKeys);
  }
}
