package dev.weir.memory;

/**
 * An overflow listener is told when a limiter has as many keys as it may have, so that new keys
 * begin to share one state.
 */
@FunctionalInterface
public interface OverflowListener {

  /**
   * Called when new keys begin to share one state, and again only after that state had lost its
   * meaning: so at most about once in the life of a state, however many requests share it.
   *
   * <p>Runs on the thread of the request that was the first to share, after it was decided and
   * without a lock. What it throws is logged and does not reach the caller of the limiter.
   *
   * @param algorithm the name of the limiter's algorithm, such as {@code sliding-window}
   * @param namespace the limiter's namespace
   * @param maxKeys the ceiling that is reached
   */
  void onOverflow(String algorithm, String namespace, int maxKeys);
}
