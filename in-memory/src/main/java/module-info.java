/** Rate limiters that keep their state in the memory of one JVM. */
@org.jspecify.annotations.NullMarked
module dev.weir.memory {
  requires transitive dev.weir;
  requires static transitive org.jspecify;

  exports dev.weir.memory;

  provides dev.weir.RateLimiterProvider with
      dev.weir.memory.internal.FixedWindowProvider,
      dev.weir.memory.internal.SlidingWindowProvider,
      dev.weir.memory.internal.SlidingWindowCounterProvider,
      dev.weir.memory.internal.TokenBucketProvider;
}
