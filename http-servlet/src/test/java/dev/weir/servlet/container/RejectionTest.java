package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.at;
import static dev.weir.servlet.Limiters.down;
import static dev.weir.servlet.Limiters.saying;
import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.servlet.Limiters.StandingClock;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.servlet.RateLimitListener;
import dev.weir.servlet.RejectionHandler;
import dev.weir.servlet.WhenUnavailable;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("container")
class RejectionTest {

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private static final String QUOTA_EXCEEDED =
      "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
          + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
          + "\"status\":429,\"violated-policies\":[\"a \\\"b\\\"\"]}";

  @Test
  void aDeniedRequestGets429WithAProblemAndNeverReachesTheServlet() throws Exception {
    Server.Ok servlet = new Server.Ok();
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).name("a \"b\"").build();
    try (Server server = Server.with(filter, servlet)) {
      server.get("/");
      Answer denied = server.get("/");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(denied.header("Cache-Control")).isEqualTo("no-store");
      assertThat(denied.header("Retry-After")).isEqualTo("10");
      assertThat(denied.header("X-RateLimit-Remaining")).isEqualTo("0");
      assertThat(denied.header("RateLimit")).isEqualTo("\"a \\\"b\\\"\";r=0;t=10");
      assertThat(denied.body()).isEqualTo(QUOTA_EXCEEDED);
      assertThat(servlet.served).hasValue(1);
    }
  }

  @Test
  void whoWaitsForRetryAfterIsAdmitted() throws Exception {
    StandingClock clock = new StandingClock();
    RateLimitFilter filter =
        RateLimitFilter.builder(at(clock, 1, Duration.ofMillis(1_500))).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      for (int i = 0; i < 3; i++) {
        assertThat(server.get("/").status()).isEqualTo(200);
        clock.advance(Duration.ofMillis(499));
        String retryAfter = server.get("/").header("Retry-After");
        assertThat(retryAfter).isEqualTo("2");
        clock.advance(Duration.ofSeconds(Long.parseLong(retryAfter)));
      }
      assertThat(server.get("/").status()).isEqualTo(200);
    }
  }

  @Test
  void aRequestThatCanNeverBeAdmittedIsNotToldToRetry() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(5, TEN_SECONDS)).cost(request -> 6).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer denied = server.get("/");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("Retry-After")).isNull();
      assertThat(denied.header("RateLimit")).isEqualTo("\"default\";r=5");
      assertThat(denied.header("X-RateLimit-Reset")).isEqualTo("0");
    }
  }

  @Test
  void waitsBeyondAllMeasureAreStillIntegersOfFifteenDigits() throws Exception {
    Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
    RateLimitFilter filter =
        RateLimitFilter.builder(saying(Decision.denied(Long.MAX_VALUE, 0, ages, ages)))
            .epochReset(true)
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer denied = server.get("/");

      assertThat(denied.header("Retry-After")).isEqualTo("999999999999999");
      assertThat(denied.header("X-RateLimit-Limit")).isEqualTo("999999999999999");
      assertThat(denied.header("X-RateLimit-Reset")).isEqualTo("999999999999999");
    }
  }

  @Test
  void theFirstPolicyThatDeniesIsNamedAndLaterOnesAreNotCharged() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS))
            .name("tight")
            .paths("/login")
            .policy(standing(10, Duration.ofMinutes(1)))
            .name("wide")
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/login");
      for (int i = 0; i < 5; i++) {
        Answer denied = server.get("/login");
        assertThat(denied.status()).isEqualTo(429);
        assertThat(denied.body()).contains("\"violated-policies\":[\"tight\"]");
        assertThat(denied.header("X-RateLimit-Limit")).isEqualTo("1");
      }
      assertThat(server.get("/other").header("X-RateLimit-Remaining")).isEqualTo("8");
    }
  }

  @Test
  void aDenialIsTheTightestPolicyWhateverOthersHaveLeft() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(2, TEN_SECONDS))
            .name("small")
            .policy(saying(Decision.denied(50, 10, TEN_SECONDS, TEN_SECONDS)))
            .name("denying")
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer denied = server.get("/");

      assertThat(denied.header("X-RateLimit-Limit")).isEqualTo("50");
      assertThat(denied.header("X-RateLimit-Remaining")).isEqualTo("10");
    }
  }

  @Test
  void theBodyIsReplaceableAndTheHandlerKnowsWhy() throws Exception {
    RejectionHandler handler =
        (request, response, rejection) -> {
          response.setContentType("text/plain");
          response
              .getWriter()
              .print(
                  rejection.status()
                      + " "
                      + rejection.policy()
                      + " "
                      + rejection.retryAfterSeconds().equals(OptionalLong.of(10))
                      + " "
                      + rejection.decision().limit());
        };
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).rejectionHandler(handler).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/");
      Answer denied = server.get("/");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("Retry-After")).isEqualTo("10");
      assertThat(denied.body()).isEqualTo("429 default true 1");
    }
  }

  @Test
  void aHandlerMayLeaveTheAnswerToTheErrorPages() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS))
            .rejectionHandler((request, response, rejection) -> response.sendError(429))
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/");
      for (int i = 0; i < 3; i++) {
        Answer denied = server.get("/");
        assertThat(denied.status()).isEqualTo(429);
        assertThat(denied.header("Retry-After")).isEqualTo("10");
      }
    }
  }

  @Test
  void aDeniedPostWithABodyIsAnsweredCleanly() throws Exception {
    RateLimitFilter filter = RateLimitFilter.builder(standing(1, TEN_SECONDS)).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/");
      Answer denied =
          server.raw(
              "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                  + "Content-Length: 5\r\n\r\nhello");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.body()).contains("quota-exceeded");
    }
  }

  @Test
  void aDeniedHeadHasNoBody() throws Exception {
    RateLimitFilter filter = RateLimitFilter.builder(standing(1, TEN_SECONDS)).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/");
      Answer denied = server.send("HEAD", "/");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("Retry-After")).isEqualTo("10");
      assertThat(denied.body()).isEmpty();
    }
  }

  @Test
  void whatAnEarlierFilterLeftInTheBufferIsNotMixedIn() throws Exception {
    Filter writing =
        (request, response, chain) -> {
          ((HttpServletResponse) response).setHeader("X-Earlier", "kept");
          response.getWriter().print("earlier");
          chain.doFilter(request, response);
        };
    RateLimitFilter filter =
        RateLimitFilter.builder(saying(Decision.denied(1, 0, TEN_SECONDS, TEN_SECONDS)))
            .name("a \"b\"")
            .build();
    try (Server server =
        Server.with(
            context -> {
              Server.map(context, "writing", writing);
              Server.map(context, "rate-limit", filter);
              Server.map(context, "ok", new Server.Ok(), "/");
            })) {
      Answer denied = server.get("/");

      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("X-Earlier")).isEqualTo("kept");
      assertThat(denied.body()).isEqualTo(QUOTA_EXCEEDED);
    }
  }

  @Test
  void aWrappedResponseGetsTheAnswerThroughItsWrapper() throws Exception {
    Filter wrapping =
        (request, response, chain) -> {
          Upper wrapper = new Upper((HttpServletResponse) response);
          chain.doFilter(request, wrapper);
          wrapper.finish();
        };
    RateLimitFilter filter = RateLimitFilter.builder(standing(1, TEN_SECONDS)).build();
    try (Server server =
        Server.with(
            context -> {
              Server.map(context, "wrapping", wrapping);
              Server.map(context, "rate-limit", filter);
              Server.map(context, "ok", new Server.Ok(), "/");
            })) {
      assertThat(server.get("/").body()).isEqualTo("OK");
      Answer denied = server.get("/");
      assertThat(denied.status()).isEqualTo(429);
      assertThat(denied.header("Retry-After")).isEqualTo("10");
      assertThat(denied.body()).contains("QUOTA-EXCEEDED");
    }
  }

  /** Buffers what is written and sends it in capitals. */
  private static final class Upper extends HttpServletResponseWrapper {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    Upper(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setContentLength(int length) {}

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public void write(int b) {
          written.write(b);
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new UnsupportedOperationException();
        }
      };
    }

    void finish() throws IOException {
      super.getOutputStream().print(written.toString().toUpperCase());
    }
  }

  @Test
  void aCommittedResponseIsLeftAloneButADeniedRequestStillDoesNotReachTheServlet()
      throws Exception {
    Filter committing =
        (request, response, chain) -> {
          response.getOutputStream().print("begun, ");
          response.flushBuffer();
          chain.doFilter(request, response);
          response.getOutputStream().print(", ended"); // not reached if the filter throws
        };
    RateLimitFilter filter = RateLimitFilter.builder(standing(1, TEN_SECONDS)).build();
    try (Server server =
        Server.with(
            context -> {
              Server.map(context, "committing", committing);
              Server.map(context, "rate-limit", filter);
              Server.map(context, "ok", new Server.Ok(), "/");
            })) {
      Answer admitted = server.get("/");
      assertThat(admitted.status()).isEqualTo(200);
      assertThat(admitted.body()).isEqualTo("begun, ok, ended");
      Answer denied = server.get("/");
      assertThat(denied.status()).isEqualTo(200);
      assertThat(denied.body()).isEqualTo("begun, , ended");
    }
  }

  @Test
  void aLimiterWithoutAnAnswerLeadsTo503ByDefault() throws Exception {
    Server.Ok servlet = new Server.Ok();
    Server.Heard heard = new Server.Heard();
    RateLimitFilter filter =
        RateLimitFilter.builder(down()).listener(heard).exposeCors(true).build();
    try (Server server = Server.with(filter, servlet)) {
      Answer answer = server.get("/");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.header("Retry-After")).isEqualTo("1");
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
      assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(answer.body())
          .isEqualTo(
              "{\"type\":\"https://iana.org/assignments/http-problem-types"
                  + "#temporary-reduced-capacity\",\"title\":\"Request cannot be satisfied due to"
                  + " temporary server capacity constraints\",\"status\":503}");
      assertThat(answer.headers()).doesNotContainKeys("RateLimit", "X-RateLimit-Limit");
      assertThat(answer.header("Access-Control-Expose-Headers")).contains("Retry-After");
      assertThat(servlet.served).hasValue(0);
      assertThat(heard.outages).hasValue(1);
    }
  }

  @Test
  void aLimiterWithoutAnAnswerCanLetPassWithoutHeaders() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(down()).onUnavailable(WhenUnavailable.ALLOW).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer answer = server.get("/");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("ok");
      assertThat(answer.headers())
          .doesNotContainKeys("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "Retry-After");
    }
  }

  @Test
  void aFallbackLimiterDecidesAndIsWhatTheHeadersTellOf() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(down()).onUnavailable(standing(2, Duration.ofSeconds(30))).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer first = server.get("/");
      assertThat(first.header("RateLimit-Policy")).isEqualTo("\"default\";q=2;w=30");
      assertThat(first.header("RateLimit")).isEqualTo("\"default\";r=1;t=30");
      assertThat(server.get("/").status()).isEqualTo(200);
      assertThat(server.get("/").status()).isEqualTo(429);
    }
  }

  @Test
  void aFallbackThatIsDownTooLeadsTo503() throws Exception {
    RateLimitFilter filter = RateLimitFilter.builder(down()).onUnavailable(down()).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/").status()).isEqualTo(503);
    }
  }

  @Test
  void eachPolicyHasItsOwnAnswerToAnOutage() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(down())
            .name("login")
            .paths("/login")
            .policy(down())
            .name("api")
            .onUnavailable(WhenUnavailable.ALLOW)
            .policy(standing(5, TEN_SECONDS))
            .name("all")
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/login").status()).isEqualTo(503);
      Answer passed = server.get("/api");
      assertThat(passed.status()).isEqualTo(200);
      assertThat(passed.header("RateLimit")).isEqualTo("\"all\";r=4;t=10");
    }
  }

  @Test
  void aListenerThatFailsChangesNothing() throws Exception {
    RateLimitListener failing =
        new RateLimitListener() {
          @Override
          public void onDecision(
              HttpServletRequest request, String policy, String key, Decision decision) {
            throw new IllegalStateException("on purpose");
          }
        };
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).listener(failing).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/").status()).isEqualTo(200);
      assertThat(server.get("/").status()).isEqualTo(429);
    }
  }
}
