/** The sliding window on Redis: as an exact log, and as an approximate counter. */
package dev.weir.redis.slidingwindow;
