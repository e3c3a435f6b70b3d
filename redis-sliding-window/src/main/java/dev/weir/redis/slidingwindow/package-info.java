/** The sliding window log on Redis. */
package dev.weir.redis.slidingwindow;
