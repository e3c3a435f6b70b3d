package examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoginTest {

  private Instant now = Instant.parse("2026-12-01T08:00:00Z");
  private final Login login =
      new Login(
          InMemorySlidingWindow.create(
              SlidingWindowPolicy.of(3, Duration.ofMinutes(10)),
              InMemoryOptions.defaults().withClock(() -> now)),
          Map.of("ada", "right"));

  @Test
  void aGuesserIsToldToWaitAndTheWaitIsTrue() {
    for (int i = 0; i < 3; i++) {
      assertEquals(new Login.Wrong(), login.attempt("ada", "guess"));
      now = now.plusSeconds(1);
    }
    var refused = assertInstanceOf(Login.TooManyAttempts.class, login.attempt("ada", "right"));
    assertEquals(Duration.ofSeconds(597), refused.retryAfter());

    now = now.plus(refused.retryAfter());
    assertEquals(new Login.Welcome(), login.attempt("ada", "right"));
  }
}
