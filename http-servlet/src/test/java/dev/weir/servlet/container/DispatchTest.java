package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("container")
class DispatchTest {

  private final Server.Heard heard = new Server.Heard();

  /** Does what the path says. */
  private static final class Dispatching extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      switch (request.getServletPath()) {
        case "/forward" -> request.getRequestDispatcher("/target").forward(request, response);
        case "/include" -> request.getRequestDispatcher("/target").include(request, response);
        case "/error" -> response.sendError(404);
        case "/throw" -> throw new ServletException("on purpose");
        case "/dispatch" -> {
          if (request.getAttribute("dispatched") == null) {
            request.setAttribute("dispatched", true);
            request.startAsync().dispatch();
          } else {
            response.getWriter().print("dispatched");
          }
        }
        case "/dispatch-elsewhere" -> request.startAsync().dispatch("/target");
        case "/async" -> {
          AsyncContext async = request.startAsync();
          async.start(
              () -> {
                try {
                  async.getResponse().getWriter().print("async");
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
                async.complete();
              });
        }
        case "/timeout" -> request.startAsync().setTimeout(50);
        default -> throw new ServletException("nothing is at " + request.getServletPath());
      }
    }
  }

  private static final class Target extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("target");
    }
  }

  private Server serving(RateLimitFilter filter) throws Exception {
    return Server.with(
        context -> {
          Server.map(context, "rate-limit", filter);
          Server.map(context, "dispatching", new Dispatching(), "/");
          Server.map(context, "target", new Target(), "/target");
        });
  }

  private RateLimitFilter everywhere(long limit) {
    return RateLimitFilter.builder(standing(limit, Duration.ofMinutes(1))).listener(heard).build();
  }

  private Answer assertCountedOnce(String path, int status) throws Exception {
    try (Server server = serving(everywhere(5))) {
      Answer answer = server.get(path);
      assertThat(answer.status()).isEqualTo(status);
      assertThat(heard.decisions).hasValue(1);
      return answer;
    }
  }

  @Test
  void aForwardIsNotCountedTwice() throws Exception {
    assertThat(assertCountedOnce("/forward", 200).header("X-RateLimit-Remaining")).isEqualTo("4");
  }

  @Test
  void anIncludeIsNotCountedTwice() throws Exception {
    assertThat(assertCountedOnce("/include", 200).body()).isEqualTo("target");
  }

  @Test
  void anErrorDispatchIsNotCountedTwice() throws Exception {
    assertCountedOnce("/error", 404);
  }

  @Test
  void theErrorDispatchOfAnExceptionIsNotCountedTwice() throws Exception {
    assertCountedOnce("/throw", 500);
  }

  @Test
  void anErrorPageIsServedEvenWhenTheQuotaIsUsedUp() throws Exception {
    try (Server server = serving(everywhere(1))) {
      assertThat(server.get("/error").status()).isEqualTo(404);
      assertThat(server.get("/error").status()).isEqualTo(429);
    }
  }

  @Test
  void includesAndErrorPagesAreNotCountedEvenWhereNothingElseWas() throws Exception {
    try (Server server =
        Server.with(
            context -> {
              FilterRegistration.Dynamic filter = context.addFilter("rate-limit", everywhere(1));
              filter.setAsyncSupported(true);
              filter.addMappingForUrlPatterns(
                  EnumSet.of(DispatcherType.INCLUDE, DispatcherType.ERROR), false, "/*");
              Server.map(context, "dispatching", new Dispatching(), "/");
              Server.map(context, "target", new Target(), "/target");
            })) {
      for (int i = 0; i < 2; i++) {
        assertThat(server.get("/include").body()).isEqualTo("target");
        assertThat(server.get("/error").status()).isEqualTo(404);
      }
      assertThat(heard.decisions).hasValue(0);
    }
  }

  @Test
  void anAsyncDispatchIsNotCountedTwice() throws Exception {
    Answer answer = assertCountedOnce("/dispatch", 200);
    assertThat(answer.body()).isEqualTo("dispatched");
    assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("4");
  }

  @Test
  void anAsyncDispatchToAnotherPathIsNotCountedTwice() throws Exception {
    assertThat(assertCountedOnce("/dispatch-elsewhere", 200).body()).isEqualTo("target");
  }

  @Test
  void anAsyncServletKeepsTheHeaders() throws Exception {
    Answer answer = assertCountedOnce("/async", 200);
    assertThat(answer.body()).isEqualTo("async");
    assertThat(answer.header("RateLimit")).isEqualTo("\"default\";r=4;t=60");
  }

  @Test
  void anAsyncTimeoutIsNotCountedTwice() throws Exception {
    try (Server server = serving(everywhere(5))) {
      assertThat(server.get("/timeout").status()).isGreaterThanOrEqualTo(500);
      assertThat(heard.decisions).hasValue(1);
    }
  }

  @Test
  void aForwardToALimitedPathCountsThere() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1)))
            .paths("/target")
            .listener(heard)
            .build();
    try (Server server = serving(filter)) {
      assertThat(server.get("/forward").body()).isEqualTo("target");
      assertThat(server.get("/forward").status()).isEqualTo(429);
      assertThat(server.get("/target").status()).isEqualTo(429);
      assertThat(server.get("/include").body()).isEqualTo("target");
      assertThat(heard.decisions).hasValue(3);
    }
  }

  @Test
  void eachPolicyCountsARequestOnceAlthoughOnlyTheForwardReachesOneOfThem() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(9, Duration.ofMinutes(1)))
            .name("all")
            .policy(standing(5, Duration.ofMinutes(1)))
            .name("target")
            .paths("/target")
            .listener(heard)
            .build();
    try (Server server = serving(filter)) {
      Answer answer = server.get("/forward");
      assertThat(String.join(", ", answer.headers().get("RateLimit")))
          .isEqualTo("\"all\";r=8;t=60, \"target\";r=4;t=60");
      assertThat(heard.decisions).hasValue(2);
    }
  }
}
