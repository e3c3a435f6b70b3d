/** The token bucket on Redis. */
// Redisson has only an Automatic-Module-Name, "redisson".
@SuppressWarnings("requires-transitive-automatic")
@org.jspecify.annotations.NullMarked
module dev.weir.redis.tokenbucket {
  requires transitive dev.weir.redis;
  requires static transitive org.jspecify;

  exports dev.weir.redis.tokenbucket;

  provides dev.weir.RateLimiterProvider with
      dev.weir.redis.tokenbucket.RedisTokenBucketProvider;
}
