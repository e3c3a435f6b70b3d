package dev.weir.spring;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.servlet.HttpAnswer;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The same as {@code ServletProblems}, for WebFlux. */
@ControllerAdvice
@Order(0)
final class WebFluxProblems {

  private final RateLimiterRegistry registry;

  WebFluxProblems(RateLimiterRegistry registry) {
    this.registry = registry;
  }

  @ExceptionHandler
  Mono<Void> exceeded(RateLimitExceededException exception, ServerWebExchange exchange) {
    return RateLimitWebFilter.write(
        HttpAnswer.empty().with(registry.named(exception.policy()).http(), exception.decision()),
        exchange.getResponse());
  }

  @ExceptionHandler
  Mono<Void> unavailable(RateLimiterUnavailableException exception, ServerWebExchange exchange) {
    return RateLimitWebFilter.write(
        HttpAnswer.empty().unavailable("method"), exchange.getResponse());
  }
}
