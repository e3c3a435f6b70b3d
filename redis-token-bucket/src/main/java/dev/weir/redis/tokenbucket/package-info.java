/** The token bucket on Redis. */
package dev.weir.redis.tokenbucket;
