package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.servlet.RateLimitFilter;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spellings of a path by which other filters were walked around. */
@Tag("container")
class PathsTest {

  private static RateLimitFilter one(String... patterns) {
    return RateLimitFilter.builder(standing(1, Duration.ofMinutes(1))).paths(patterns).build();
  }

  private static Server server(Container.Paths paths, String context, String... patterns)
      throws Exception {
    return Server.with(paths, context, one(patterns), new Server.Ok());
  }

  /** What must not happen is a request that reaches the servlet uncounted. */
  private static void assertCountedOrRefused(Server server, String target) throws Exception {
    Answer answer = server.get(target);
    assertThat(answer.status()).as(target + " gave " + answer).isIn(400, 429);
  }

  @ParameterizedTest // GHSA-24q2-59hm-rh9r: a slash at the end is another path
  @ValueSource(strings = {"/api/*", "/api/x"})
  void everySpellingOfAPathIsThatPath(String pattern) throws Exception {
    try (Server server = server(Container.Paths.STRICT, "", pattern)) {
      assertThat(server.get("/api/x").status()).isEqualTo(200);
      for (String target :
          new String[] {
            "/api/x",
            "/api/x/",
            "/api/x?page=2",
            "//api/x",
            "/api//x",
            "///api///x//",
            "/./api/x",
            "/api/./x",
            "/api/x/.",
            "/other/../api/x",
            "/../api/x",
            "/api;v=1/x",
            "/api/x;jsessionid=1",
            "/;/api/x",
            "/%61pi/x",
            "/%61%70%69/%78",
            "/api/%2e/x",
            "/other/%2e%2e/api/x",
            "/other/..;/api/x",
            "/api%2Fx",
            "/api%2fx",
            "/%2Fapi/x",
            "/other%2F..%2Fapi/x",
            "/other\\..\\api\\x",
            "/api%5Cx"
          }) {
        assertCountedOrRefused(server, target);
      }
      assertThat(server.get("/other").status()).isEqualTo(200);
      assertThat(server.get("/apix").status()).isEqualTo(200);
    }
  }

  @Test
  void theUsualSpellingsAreAllowedAndCountedByEveryContainer() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(100, Duration.ofMinutes(1))).paths("/api/x").build();
    try (Server server = Server.with(Container.Paths.STRICT, "", filter, new Server.Ok())) {
      int left = 100;
      for (String target :
          new String[] {"/api/x", "/api/x/", "/%61pi/x", "/api/./x", "/b/../api/x"}) {
        Answer answer = server.get(target);
        assertThat(answer.status()).as(target).isEqualTo(200);
        assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(--left));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Container.Paths.class,
      names = {"DECODED", "PASSED_THROUGH"})
  void aPathThatMayMeanTwoThingsCountsAsBoth(Container.Paths paths) throws Exception {
    for (String target :
        new String[] {
          "/api%2Fx",
          "/%2Fapi%2Fx",
          "/public%2F..%2Fapi/x",
          "/api/x%2F..%2F..%2Fpublic",
          "/api/..%2Fpublic",
          "/public/..%2Fapi/x",
          "/public\\..\\api\\x",
          "/public%5C..%5Capi%5Cx",
          "/api%5Cx",
          "//api%2Fx",
          "/public/%2e%2e%2fapi%2fx"
        }) {
      try (Server server = server(paths, "", "/api/*")) {
        assertThat(server.get("/api/x").status()).isEqualTo(200);
        assertCountedOrRefused(server, target);
        if (target.equals("/api%2Fx")) { // the setting lets it in: it is counted, not refused
          assertThat(server.get(target).status()).isEqualTo(429);
        }
      }
    }
  }

  @Test
  void caseCountsUnlessItIsToldNotTo() throws Exception {
    try (Server server = server(Container.Paths.STRICT, "", "/api/*")) {
      assertThat(server.get("/api/x").status()).isEqualTo(200);
      assertThat(server.get("/API/x").status()).isEqualTo(200);
    }
    RateLimitFilter ignoring =
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1)))
            .paths("/api/*")
            .ignoreCase(true)
            .build();
    try (Server server = Server.with(ignoring, new Server.Ok())) {
      assertThat(server.get("/api/x").status()).isEqualTo(200);
      assertThat(server.get("/API/x").status()).isEqualTo(429);
      assertThat(server.get("/%41pI/x").status()).isEqualTo(429);
    }
  }

  @Test
  void pathsAreMatchedBelowTheContextPath() throws Exception {
    try (Server server = server(Container.Paths.STRICT, "/app", "/api/*")) {
      assertThat(server.get("/app/api/x").status()).isEqualTo(200);
      for (String target :
          new String[] {
            "/app/api/x",
            "/app//api/x",
            "/app/./api/x",
            "/app/%61pi/x",
            "/x/../app/api/x",
            "/app;v=1/api/x",
            "/%61pp/api/x",
            "/app/api;a=b;c/x/"
          }) {
        assertCountedOrRefused(server, target);
      }
      assertThat(server.get("/app/other").status()).isEqualTo(200);
    }
  }

  @Test
  void theServletMayBeMappedByAnyKindOfPattern() throws Exception {
    for (String mapping : new String[] {"/*", "/api/*", "/api/x.do", "*.do", "/"}) {
      try (Server server =
          Server.with(
              context -> {
                Server.map(context, "rate-limit", one("/api/*"));
                Server.map(context, "ok", new Server.Ok(), mapping);
              })) {
        assertThat(server.get("/api/x.do").status()).as(mapping).isEqualTo(200);
        assertThat(server.get("/api/x.do").status()).as(mapping).isEqualTo(429);
        assertCountedOrRefused(server, "//api;a/x.do");
      }
    }
  }

  @Test
  void theRootIsAPathOfItsOwn() throws Exception {
    try (Server server = server(Container.Paths.STRICT, "", "/")) {
      assertThat(server.get("/").status()).isEqualTo(200);
      assertThat(server.get("/x").status()).isEqualTo(200);
      assertThat(server.get("/").status()).isEqualTo(429);
      assertThat(server.get("//").status()).isIn(400, 429);
      assertThat(server.get("/x/..").status()).isIn(400, 429);
    }
  }

  @Test
  void anAbsoluteTargetIsThePathInIt() throws Exception {
    try (Server server = server(Container.Paths.STRICT, "", "/api/*")) {
      assertThat(server.get("http://localhost/api/x").status()).isEqualTo(200);
      assertThat(server.get("/api/x").status()).isEqualTo(429);
    }
  }
}
