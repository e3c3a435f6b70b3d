/** The sliding window on Redis: as an exact log, and as an approximate counter. */
// Redisson has only an Automatic-Module-Name, "redisson".
@SuppressWarnings("requires-transitive-automatic")
@org.jspecify.annotations.NullMarked
module dev.weir.redis.slidingwindow {
  requires transitive dev.weir.redis;
  requires static transitive org.jspecify;

  exports dev.weir.redis.slidingwindow;

  provides dev.weir.RateLimiterProvider with
      dev.weir.redis.slidingwindow.RedisSlidingWindowProvider,
      dev.weir.redis.slidingwindow.RedisSlidingWindowCounterProvider;
}
