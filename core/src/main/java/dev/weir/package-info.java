/**
 * The interface of a rate limiter, its decisions, its policies, the door for providers, and
 * decorators.
 *
 * <p>Start at {@link dev.weir.RateLimiter}. A limiter is built either directly, by the {@code
 * create} method of its class, or by name through {@link dev.weir.RateLimiters}. Around any limiter
 * go {@link dev.weir.ObservedRateLimiter}, which tells a listener of each decision, {@link
 * dev.weir.FallbackRateLimiter}, which answers while the store does not, and {@link
 * dev.weir.WaitingRateLimiter}, which waits for permits.
 */
package dev.weir;
