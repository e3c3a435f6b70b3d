package dev.weir.memory.internal;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemorySlidingWindow;

/** Makes {@link InMemorySlidingWindow} limiters by name. */
public final class SlidingWindowProvider extends MemoryProvider {

  public SlidingWindowProvider() {
    super(
        "sliding-window",
        (quota, options) -> InMemorySlidingWindow.create(SlidingWindowPolicy.of(quota), options));
  }
}
