package dev.weir.memory.internal;

import dev.weir.FixedWindowPolicy;
import dev.weir.memory.InMemoryFixedWindow;

/** Makes {@link InMemoryFixedWindow} limiters by name. */
public final class FixedWindowProvider extends MemoryProvider {

  public FixedWindowProvider() {
    super(
        "fixed-window",
        (quota, options) -> InMemoryFixedWindow.create(FixedWindowPolicy.of(quota), options));
  }
}
