package dev.weir.memory;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one key. Every access to a state that others can see holds its monitor.
 *
 * <p>There is one for each key, so a field more costs as much as a million of them: the keys of a
 * fixed window and of a bucket are to cost at most 96 bytes, the node of the map included.
 *
 * @param <S> the state of the algorithm
 */
abstract class State<S extends State<S>> {

  /** The {@link #last} of a state that remembers nothing: the key is as new. */
  private static final long NOTHING = -1;

  /** The {@link #last} of a state that left the table: whoever still holds it asks again. */
  private static final long RELEASED = -2;

  final String key;

  /** The next state in the list of those to sweep; guarded by that list. */
  @Nullable S next;

  /** The time of the last admission in microseconds since 1970; negative if there was none. */
  long last = NOTHING;

  State(String key) {
    this.key = key;
  }

  /** Whether anything was admitted that the state remembers. */
  final boolean isUsed() {
    return last >= 0;
  }

  final boolean isReleased() {
    return last == RELEASED;
  }

  final void release() {
    last = RELEASED;
  }

  /** Makes the key as new. */
  void clear() {
    last = NOTHING;
  }
}
