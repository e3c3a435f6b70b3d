package dev.weir.memory;

import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import java.util.Objects;

/**
 * A share in memory is the limiter of one node among several that keep a policy together without
 * talking to each other, each with its part of the limit: what a {@link
 * dev.weir.FallbackRateLimiter} of each node falls back on while the store that they share is away.
 *
 * <p>All nodes together exceed the policy only where there are more nodes than permits: every node
 * has one permit at least. A key whose requests all come to one node gets that node's share.
 *
 * <p>The limiters made here are those of this package, of the policy's own algorithm; they neither
 * block nor know what the store has admitted.
 */
public final class InMemoryShare {

  private InMemoryShare() {}

  /**
   * Returns the limiter of one node, with the default options.
   *
   * @param policy the policy that all nodes keep together, of one of Weir's algorithms; for a
   *     fallback the primary's
   * @param nodes how many nodes there are, at least 1
   * @return a new limiter with a store of its own
   * @throws NullPointerException if {@code policy} is null
   * @throws IllegalArgumentException if {@code nodes} is below 1, or the policy is of another
   *     algorithm
   */
  public static RateLimiter of(Policy policy, int nodes) {
    return of(policy, nodes, InMemoryOptions.defaults());
  }

  /**
   * Returns the limiter of one node.
   *
   * @param policy the policy that all nodes keep together, of one of Weir's algorithms; for a
   *     fallback the primary's
   * @param nodes how many nodes there are, at least 1
   * @param options the namespace, the clock, the store and the ceiling on keys
   * @return a new limiter
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if {@code nodes} is below 1, or the policy is of another
   *     algorithm
   */
  public static RateLimiter of(Policy policy, int nodes, InMemoryOptions options) {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(options, "options");
    if (policy instanceof FixedWindowPolicy whole) {
      return InMemoryFixedWindow.create(whole.dividedBy(nodes), options);
    }
    if (policy instanceof SlidingWindowPolicy whole) {
      return InMemorySlidingWindow.create(whole.dividedBy(nodes), options);
    }
    if (policy instanceof SlidingWindowCounterPolicy whole) {
      return InMemorySlidingWindowCounter.create(whole.dividedBy(nodes), options);
    }
    if (policy instanceof TokenBucketPolicy whole) {
      return InMemoryTokenBucket.create(whole.dividedBy(nodes), options);
    }
    throw new IllegalArgumentException(
        "policy is "
            + policy
            + ", must be a FixedWindowPolicy, SlidingWindowPolicy, SlidingWindowCounterPolicy or"
            + " TokenBucketPolicy");
  }
}
