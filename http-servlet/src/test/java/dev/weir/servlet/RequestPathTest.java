package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestPathTest {

  @Test
  void aPlainPathHasOneReading() {
    assertThat(RequestPath.readings(Requests.forPath("/app", "/app/api/x", "/api/x")))
        .containsExactly("/api/x");
    assertThat(RequestPath.readings(Requests.forPath("", "/", "/"))).containsExactly("/");
  }

  @Test
  void whatTheContainerKeepsEncodedIsReadBelowTheContextPathToo() {
    for (String raw :
        new String[] {"/app/api%2Fx", "/%61pp/api%2fx", "//app/./api%5Cx", "/app;v=1/api%2Fx"}) {
      assertThat(RequestPath.readings(Requests.forPath("/app", raw, "/elsewhere")))
          .as(raw)
          .contains("/elsewhere", "/api/x");
    }
    assertThat(RequestPath.readings(Requests.forPath("/app", "/application/x;a", "/x")))
        .contains("/application/x");
  }

  @Test
  void aBackslashIsReadBothAsACharacterAndAsASeparator() {
    assertThat(RequestPath.readings(Requests.forPath("", "*", "/api/x\\..\\..\\public")))
        .containsExactlyInAnyOrder("/api/x\\..\\..\\public", "/public");
  }
}
