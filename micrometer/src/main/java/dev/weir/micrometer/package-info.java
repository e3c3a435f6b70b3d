/**
 * Meters of rate limiters for Micrometer. Start at {@link dev.weir.micrometer.RateLimiterMeters}.
 */
package dev.weir.micrometer;
