/**
 * What the limiters on Redis share: the way of a request to the server and back, and its options.
 */
package dev.weir.redis;
