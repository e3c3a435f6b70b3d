package dev.weir.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The body by default: problem details (RFC 9457) of the types that the IETF's draft registers. */
final class ProblemJson implements RejectionHandler {

  static final ProblemJson INSTANCE = new ProblemJson();

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  private ProblemJson() {}

  @Override
  public void reject(HttpServletRequest request, HttpServletResponse response, Rejection rejection)
      throws IOException {
    String json = json(rejection);
    byte[] body = json.getBytes(StandardCharsets.US_ASCII);
    response.setContentType("application/problem+json");
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IllegalStateException e) { // somebody before the filter took the writer
      response.getWriter().write(json);
    }
  }

  static String json(Rejection rejection) {
    if (rejection.decision() == null) {
      return "{\"type\":\""
          + TYPES
          + "temporary-reduced-capacity\",\"title\":\"Request cannot be satisfied due to temporary"
          + " server capacity constraints\",\"status\":"
          + rejection.status()
          + "}";
    }
    // The names that policies may have are quoted in JSON as they are in structured fields.
    return "{\"type\":\""
        + TYPES
        + "quota-exceeded\",\"title\":\"Request cannot be satisfied as assigned quota has been"
        + " exceeded\",\"status\":"
        + rejection.status()
        + ",\"violated-policies\":["
        + RateLimitFields.quoted(rejection.policy())
        + "]}";
  }
}
