package dev.weir.conformance;

import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A fixture carries what a limiter under test is made with: the clock that the suite moves, and a
 * namespace that nobody used before.
 *
 * <p>Every run of a trace has a fixture of its own. Safe for use by any number of threads.
 */
public interface Fixture {

  /**
   * Returns the clock that the suite moves. It stands still until the next step of the trace, and
   * where the limiter declares {@link Feature#CLOCK_STEPS} it also steps back. Without {@link
   * Feature#VIRTUAL_TIME} it is the system's.
   *
   * @return the clock, the same on every call
   */
  InstantSource clock();

  /**
   * Returns what separates this run from all others on the same store.
   *
   * @return the namespace, not empty
   */
  String namespace();

  /**
   * Returns the object of a type that belongs to this run, and makes it at the first call: the
   * place for a store in memory that the limiters of one run share.
   *
   * @param type the type
   * @param create makes the object
   * @param <T> the type
   * @return the object, the same on every call
   */
  <T> T shared(Class<T> type, Supplier<? extends T> create);

  /**
   * Registers what is to be closed after the run; closed in reverse order.
   *
   * @param resource the resource
   */
  void onClose(AutoCloseable resource);
}
