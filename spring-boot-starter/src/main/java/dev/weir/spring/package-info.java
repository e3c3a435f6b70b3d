/**
 * Rate limits for Spring Boot, set up by the properties under {@code weir}.
 *
 * <p>Requests are limited by the paths of a policy, methods by {@link dev.weir.spring.RateLimited},
 * and code asks {@link dev.weir.spring.RateLimiterRegistry} for a limiter by its name.
 */
@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
