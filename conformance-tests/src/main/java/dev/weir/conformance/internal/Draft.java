package dev.weir.conformance.internal;

import java.util.List;

/**
 * A draft is what is generated: plain numbers, of which a scenario is composed once the policies
 * and the features of the limiter are known.
 *
 * @param policy picks the policy, from 0 to 999
 * @param start picks the time to start from, from 0 to 999
 * @param genes one or a few steps each
 */
public record Draft(int policy, int start, List<Gene> genes) {

  /**
   * A gene picks one thing to happen; each number is from 0 to 999.
   *
   * @param kind picks what happens
   * @param key picks the key
   * @param size picks the permits
   * @param time picks the move of the clock
   */
  public record Gene(int kind, int key, int size, int time) {}

  /** Keeps jqwik's own report short: what matters stands in ours. */
  @Override
  public String toString() {
    return "draft of " + genes.size() + " genes";
  }
}
