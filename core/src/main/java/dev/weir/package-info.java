/**
 * The interface of a rate limiter, its decisions, its policies and the door for providers.
 *
 * <p>Start at {@link dev.weir.RateLimiter}. A limiter is built either directly, by the {@code
 * create} method of its class, or by name through {@link dev.weir.RateLimiters}.
 */
package dev.weir;
