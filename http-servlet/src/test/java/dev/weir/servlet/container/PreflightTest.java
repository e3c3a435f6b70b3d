package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.servlet.RateLimitFilter;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("container")
class PreflightTest {

  private static final String ORIGIN = "Origin: https://example.org";
  private static final String ASKS = "Access-Control-Request-Method: POST";

  private static Server server() throws Exception {
    return Server.with(
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1))).build(), new Server.Ok());
  }

  @Test
  void aPreflightIsNotCounted() throws Exception {
    try (Server server = server()) {
      for (int i = 0; i < 3; i++) {
        Answer preflight = server.send("OPTIONS", "/", ORIGIN, ASKS);
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.headers()).doesNotContainKey("RateLimit");
      }
      assertThat(server.get("/").status()).isEqualTo(200);
    }
  }

  @Test
  void whatOnlyLooksLikeAPreflightIsCounted() throws Exception {
    try (Server server = server()) {
      assertThat(server.send("OPTIONS", "/").status()).isEqualTo(200);
      assertThat(server.send("OPTIONS", "/").status()).isEqualTo(429);
      assertThat(server.send("OPTIONS", "/", ORIGIN).status()).isEqualTo(429);
      assertThat(server.send("OPTIONS", "/", ASKS).status()).isEqualTo(429);
      assertThat(server.send("GET", "/", ORIGIN, ASKS).status()).isEqualTo(429);
    }
  }
}
