/**
 * The conformance suite: numbered rules that a rate limiter is run against.
 *
 * <p>An author extends {@link dev.weir.conformance.FixedWindowConformance}, {@link
 * dev.weir.conformance.SlidingWindowConformance}, {@link
 * dev.weir.conformance.SlidingWindowCounterConformance}, {@link
 * dev.weir.conformance.TokenBucketConformance} or, for an algorithm of their own, {@link
 * dev.weir.conformance.RateLimiterConformance}, and overrides {@code create}. The guide is {@code
 * docs/conformance.md}, the rules are in {@code docs/rules.md}.
 */
package dev.weir.conformance;
