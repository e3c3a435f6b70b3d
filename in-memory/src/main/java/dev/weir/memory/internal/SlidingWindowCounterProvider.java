package dev.weir.memory.internal;

import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.memory.InMemorySlidingWindowCounter;

/** Makes {@link InMemorySlidingWindowCounter} limiters by name. */
public final class SlidingWindowCounterProvider extends MemoryProvider {

  public SlidingWindowCounterProvider() {
    super(
        "sliding-window-counter",
        (quota, options) ->
            InMemorySlidingWindowCounter.create(SlidingWindowCounterPolicy.of(quota), options));
  }
}
