package dev.weir.servlet;

/** A header family is a set of response headers that tell a client its quota. */
public enum HeaderFamily {
  /**
   * The widespread headers without a standard: {@code X-RateLimit-Limit}, {@code
   * X-RateLimit-Remaining} and {@code X-RateLimit-Reset}.
   */
  X_RATELIMIT,

  /**
   * The fields of the IETF's draft on rate limit headers, from its eighth version on: {@code
   * RateLimit-Policy} and {@code RateLimit}, which are structured fields (RFC 9651).
   */
  IETF
}
