package examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weir.ProviderContext;
import dev.weir.RateLimiter;
import java.time.Instant;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiTest {

  /** One second before and one second after the full minute: what each algorithm lets through. */
  @ParameterizedTest
  @CsvSource({"fixed-window, 20", "sliding-window, 10", "sliding-window-counter, 10", "token-bucket, 10"})
  void changingOneWordChangesTheAlgorithm(String algorithm, int admitted) {
    Properties limits = new Properties();
    limits.setProperty("store", "memory");
    limits.setProperty("algorithm", algorithm);
    limits.setProperty("quota", "10/60s");
    Instant[] now = {Instant.parse("2026-12-01T08:00:59Z")};
    RateLimiter limiter = Api.limiter(limits, ProviderContext.of("api").withClock(() -> now[0]));

    int count = 0;
    for (int i = 0; i < 20; i++) {
      if (i == 10) {
        now[0] = now[0].plusSeconds(2);
      }
      if (limiter.tryAcquire("user:42").allowed()) {
        count++;
      }
    }
    assertEquals(admitted, count);
  }
}
