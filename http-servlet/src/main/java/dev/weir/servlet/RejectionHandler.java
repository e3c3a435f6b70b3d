package dev.weir.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A rejection handler writes the body of the answer to a request that does not pass.
 *
 * <p>Implementations are called by many threads at once.
 */
@FunctionalInterface
public interface RejectionHandler {

  /**
   * Writes the body. The status, {@code Retry-After}, {@code Cache-Control} and the rate limit
   * headers are set already; the response is not committed.
   *
   * @param request the request
   * @param response the response
   * @param rejection why the request does not pass
   * @throws IOException if writing fails
   * @throws ServletException if the handler cannot answer
   */
  void reject(HttpServletRequest request, HttpServletResponse response, Rejection rejection)
      throws IOException, ServletException;

  /**
   * Returns the default: a body of problem details ({@code application/problem+json}) with a
   * registered type, a title, the status and, for 429, the violated policy.
   *
   * @return the handler
   */
  static RejectionHandler problemJson() {
    return ProblemJson.INSTANCE;
  }
}
