package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.saying;
import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryFixedWindow;
import dev.weir.memory.InMemorySlidingWindowCounter;
import dev.weir.memory.InMemoryTokenBucket;
import dev.weir.servlet.HeaderFamily;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("container")
class HeadersTest {

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  @Test
  void theContainerIsTheOneThatTheBuildNames() throws Exception {
    StringBuilder info = new StringBuilder();
    RateLimitFilter filter = RateLimitFilter.builder(standing(5, TEN_SECONDS)).build();
    try (Server server =
        Server.with(
            context -> {
              info.append(context.getServerInfo()).append(' ').append(context.getMajorVersion());
              info.append('.').append(context.getMinorVersion());
              Server.map(context, "ok", new Server.Ok(), "/");
              Server.map(context, "rate-limit", filter);
            })) {
      assertThat(server.get("/").header("X-RateLimit-Remaining")).isEqualTo("4");
      assertThat(info.toString())
          .matches(
              switch (System.getProperty("weir.container")) {
                case "jetty-ee10" -> "(?i)jetty/12.* 6.0";
                case "jetty-ee11" -> "(?i)jetty/12.* 6.1";
                case "tomcat-10" -> "Apache Tomcat/10.1.* 6.0";
                case "tomcat-11" -> "Apache Tomcat/11.0.* 6.1";
                default -> "none";
              });
    }
  }

  @Test
  void everyAnswerSaysTheQuotaInBothFamilies() throws Exception {
    RateLimitFilter filter = RateLimitFilter.builder(standing(5, TEN_SECONDS)).name("api").build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      server.get("/");
      Answer second = server.get("/");

      assertThat(second.status()).isEqualTo(200);
      assertThat(second.header("X-RateLimit-Limit")).isEqualTo("5");
      assertThat(second.header("X-RateLimit-Remaining")).isEqualTo("3");
      assertThat(second.header("X-RateLimit-Reset")).isEqualTo("10");
      assertThat(second.header("RateLimit-Policy")).isEqualTo("\"api\";q=5;w=10");
      assertThat(second.header("RateLimit")).isEqualTo("\"api\";r=3;t=10");
      assertThat(second.header("Retry-After")).isNull();
    }
  }

  @Test
  void theFieldsParseAsStructuredFieldsWhateverThePolicyIsCalled() throws Exception {
    String name = "a \"b\" \\c;,=~";
    RateLimitFilter filter = RateLimitFilter.builder(standing(5, TEN_SECONDS)).name(name).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer answer = server.get("/");

      for (String field : new String[] {"RateLimit-Policy", "RateLimit"}) {
        ListElement<?> element = Parser.parseList(answer.header(field)).get().get(0);
        assertThat(element).isInstanceOf(StringItem.class);
        assertThat(element.get()).isEqualTo(name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "999,1", "1000,1", "1001,2", "59999,60", "60000,60", "60001,61"})
  void aWaitIsSaidInWholeSecondsRoundedUp(long millis, long seconds) throws Exception {
    Duration wait = Duration.ofMillis(millis);
    RateLimitFilter filter =
        RateLimitFilter.builder(saying(Decision.denied(5, 0, wait, wait))).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer answer = server.get("/");

      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.header("Retry-After")).isEqualTo(Long.toString(seconds));
      assertThat(answer.header("RateLimit")).isEqualTo("\"default\";r=0;t=" + seconds);
      assertThat(answer.header("X-RateLimit-Reset")).isEqualTo(Long.toString(seconds));
    }
  }

  @Test
  void eachFamilyCanBeTurnedOff() throws Exception {
    RateLimiter limiter = standing(5, TEN_SECONDS);
    try (Server server =
        Server.with(
            RateLimitFilter.builder(limiter).headers(HeaderFamily.IETF).build(), new Server.Ok())) {
      assertThat(server.get("/").headers())
          .containsKeys("RateLimit", "RateLimit-Policy")
          .doesNotContainKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
    }
    try (Server server =
        Server.with(
            RateLimitFilter.builder(limiter).headers(HeaderFamily.X_RATELIMIT).build(),
            new Server.Ok())) {
      assertThat(server.get("/").headers())
          .containsKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
          .doesNotContainKeys("RateLimit", "RateLimit-Policy");
    }
    try (Server server =
        Server.with(RateLimitFilter.builder(limiter).headers().build(), new Server.Ok())) {
      assertThat(server.get("/").headers().keySet())
          .noneMatch(name -> name.toLowerCase().contains("ratelimit"));
    }
  }

  @Test
  void theResetCanBeSaidAsATimeOfDay() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(5, TEN_SECONDS)).epochReset(true).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      long before = Instant.now().getEpochSecond();
      Answer answer = server.get("/");
      long after = Instant.now().getEpochSecond() + 1;

      assertThat(Long.parseLong(answer.header("X-RateLimit-Reset")))
          .isBetween(before + 10, after + 10);
      assertThat(answer.header("RateLimit")).isEqualTo("\"default\";r=4;t=10");
    }
  }

  @Test
  void theWindowIsSaidForEveryAlgorithmThatHasOneOfWholeSeconds() throws Exception {
    assertPolicyField(
        InMemoryFixedWindow.create(FixedWindowPolicy.of(7, Duration.ofMinutes(2))), ";q=7;w=120");
    assertPolicyField(
        InMemorySlidingWindowCounter.create(
            SlidingWindowCounterPolicy.of(7, Duration.ofMinutes(2))),
        ";q=7;w=120");
    assertPolicyField(
        InMemoryTokenBucket.create(TokenBucketPolicy.of(20, 100, Duration.ofMinutes(1))),
        ";q=20;w=12");
    assertPolicyField(
        InMemoryTokenBucket.create(TokenBucketPolicy.of(10, 3, Duration.ofSeconds(1))), ";q=10");
    assertPolicyField(standing(5, Duration.ofMillis(1500)), ";q=5");
    assertPolicyField(standing(5, Duration.ofMillis(500)), ";q=5");
  }

  private static void assertPolicyField(RateLimiter limiter, String parameters) throws Exception {
    try (Server server = Server.with(RateLimitFilter.builder(limiter).build(), new Server.Ok())) {
      assertThat(server.get("/").header("RateLimit-Policy")).isEqualTo("\"default\"" + parameters);
    }
  }

  @Test
  void severalPoliciesOnOnePathAreListedAndTheTightestIsInTheOldHeaders() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(5, TEN_SECONDS))
            .name("burst")
            .policy(standing(3, Duration.ofHours(1)))
            .name("hourly")
            .policy(standing(1, TEN_SECONDS))
            .name("elsewhere")
            .paths("/elsewhere")
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      Answer answer = server.get("/");

      assertThat(answer.header("RateLimit-Policy"))
          .isEqualTo("\"burst\";q=5;w=10, \"hourly\";q=3;w=3600");
      assertThat(answer.header("RateLimit")).isEqualTo("\"burst\";r=4;t=10, \"hourly\";r=2;t=3600");
      assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("3");
      assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("2");
    }
  }

  @Test
  void twoFiltersInOneChainBothTellTheirPolicies() throws Exception {
    RateLimitFilter first = RateLimitFilter.builder(standing(5, TEN_SECONDS)).name("first").build();
    RateLimitFilter second =
        RateLimitFilter.builder(standing(9, TEN_SECONDS)).name("second").build();
    try (Server server =
        Server.with(
            context -> {
              Server.map(context, "first", first);
              Server.map(context, "second", second);
              Server.map(context, "ok", new Server.Ok(), "/");
            })) {
      assertThat(String.join(", ", server.get("/").headers().get("RateLimit")))
          .isEqualTo("\"first\";r=4;t=10, \"second\";r=8;t=10");
    }
  }

  @Test
  void theHeadersAreThereBeforeTheServletRunsAndSurviveAnEarlyFlush() throws Exception {
    RateLimitFilter filter = RateLimitFilter.builder(standing(5, TEN_SECONDS)).build();
    try (Server server = Server.with(filter, new FlushingServlet())) {
      Answer answer = server.get("/");

      assertThat(answer.body()).isEqualTo("saw 4 and more");
      assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("4");
    }
  }

  private static final class FlushingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("saw " + response.getHeader("X-RateLimit-Remaining"));
      response.flushBuffer();
      response.getWriter().print(" and more");
    }
  }

  @Test
  void aRequestThatNoPolicyMatchesPassesWithoutHeaders() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).paths("/api/*").methods("POST").build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      for (int i = 0; i < 3; i++) {
        assertThat(server.get("/api/x").headers()).doesNotContainKey("RateLimit");
        assertThat(server.send("POST", "/other", "Content-Length: 0").status()).isEqualTo(200);
      }
      assertThat(server.send("POST", "/api/x", "Content-Length: 0").status()).isEqualTo(200);
      assertThat(server.send("POST", "/api/x", "Content-Length: 0").status()).isEqualTo(429);
    }
  }

  @Test
  void aGetPolicyCountsHeadToo() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).methods("GET").build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.send("HEAD", "/").status()).isEqualTo(200);
      assertThat(server.send("HEAD", "/").status()).isEqualTo(429);
      assertThat(server.get("/").status()).isEqualTo(429);
    }
  }

  @Test
  void aCostIsTakenFromTheQuota() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(10, TEN_SECONDS))
            .cost(request -> Long.parseLong(request.getHeader("Cost")))
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/", "Cost: 4").header("X-RateLimit-Remaining")).isEqualTo("6");
      assertThat(server.get("/", "Cost: 7").status()).isEqualTo(429);
      assertThat(server.get("/", "Cost: 6").header("X-RateLimit-Remaining")).isEqualTo("0");
    }
  }

  @Test
  void aCostBelowOneCountsAsOne() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(10, TEN_SECONDS))
            .cost(HttpServletRequest::getContentLengthLong)
            .build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      assertThat(server.get("/").header("X-RateLimit-Remaining")).isEqualTo("9");
    }
  }

  @Test
  void exposeCorsLetsScriptsReadTheHeaders() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, TEN_SECONDS)).exposeCors(true).build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      for (int status : new int[] {200, 429}) {
        Answer answer = server.get("/", "Origin: https://example.org");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Access-Control-Expose-Headers"))
            .isEqualTo(
                "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy,"
                    + " RateLimit, Retry-After");
      }
    }
  }

  @Test
  void aServletThatThrowsIsAnsweredByTheContainerAndCountedOnce() throws Exception {
    Server.Heard heard = new Server.Heard();
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(5, TEN_SECONDS)).listener(heard).build();
    HttpServlet failing =
        new HttpServlet() {
          private static final long serialVersionUID = 1L;

          @Override
          protected void doGet(HttpServletRequest request, HttpServletResponse response)
              throws ServletException {
            throw new ServletException("on purpose");
          }
        };
    try (Server server = Server.with(filter, failing)) {
      assertThat(server.get("/").status()).isEqualTo(500);
      assertThat(heard.decisions).hasValue(1);
    }
  }
}
