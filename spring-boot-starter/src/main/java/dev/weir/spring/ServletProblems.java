package dev.weir.spring;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.servlet.HttpAnswer;
import dev.weir.servlet.Rejection;
import dev.weir.servlet.RejectionHandler;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers what {@link RateLimited} throws as the filter answers. Before advice without an order,
 * which often catches everything and makes it a 500.
 */
@ControllerAdvice
@Order(0)
final class ServletProblems {

  private final RateLimiterRegistry registry;

  ServletProblems(RateLimiterRegistry registry) {
    this.registry = registry;
  }

  @ExceptionHandler
  void exceeded(
      RateLimitExceededException exception,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, ServletException {
    write(
        HttpAnswer.empty().with(registry.named(exception.policy()).http(), exception.decision()),
        request,
        response);
  }

  @ExceptionHandler
  void unavailable(
      RateLimiterUnavailableException exception,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, ServletException {
    write(HttpAnswer.empty().unavailable("method"), request, response);
  }

  private static void write(
      HttpAnswer answer, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (!response.isCommitted()) {
      Rejection rejection = answer.rejection().orElseThrow();
      response.resetBuffer();
      response.setStatus(rejection.status());
      answer.writeFields(response::setHeader, response::addHeader);
      RejectionHandler.problemJson().reject(request, response, rejection);
    }
  }
}
