/**
 * A decorator that spares the store the requests of keys that it has just denied. Start at {@link
 * dev.weir.denialcache.DenialCachingRateLimiter}.
 */
package dev.weir.denialcache;
