package dev.weir.conformance;

/**
 * Stages the failures of the store that a limiter under test asks.
 *
 * <p>Made for one {@link Fixture}; the suite restores the store before it goes on.
 */
public interface StoreFailures {

  /** Makes the store unreachable: a call that arrives after this has no effect and no answer. */
  void cut();

  /** Lets the next call have its effect in the store but loses the answer to it. */
  void loseNextReply();

  /** Makes the store answer again. Returns when it does. */
  void restore();
}
