/** The fixed window on Redis. */
package dev.weir.redis.fixedwindow;
