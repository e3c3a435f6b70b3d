/** The fixed window on Redis. */
// Redisson has only an Automatic-Module-Name, "redisson".
@SuppressWarnings("requires-transitive-automatic")
@org.jspecify.annotations.NullMarked
module dev.weir.redis.fixedwindow {
  requires transitive dev.weir.redis;
  requires static transitive org.jspecify;

  exports dev.weir.redis.fixedwindow;

  provides dev.weir.RateLimiterProvider with
      dev.weir.redis.fixedwindow.RedisFixedWindowProvider;
}
