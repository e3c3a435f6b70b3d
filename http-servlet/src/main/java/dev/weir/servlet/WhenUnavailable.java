package dev.weir.servlet;

/** What becomes of a request when its limiter has no answer because its store is down. */
public enum WhenUnavailable {
  /** The request passes uncounted, and without headers about this policy. */
  ALLOW,

  /** The request is answered with 503, a {@code Retry-After} of one second and a problem body. */
  DENY
}
