/**
 * A Jakarta Servlet filter that limits requests, answers in HTTP's own words and knows who asks.
 *
 * <p>Start at {@link dev.weir.servlet.RateLimitFilter}. Who is asking is decided by {@link
 * dev.weir.servlet.ClientAddress}, or by any key that the application takes from a request.
 */
package dev.weir.servlet;
