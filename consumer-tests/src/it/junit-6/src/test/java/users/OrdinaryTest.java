package users;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemorySlidingWindow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OrdinaryTest {
  @Test
  void runsBesideTheSuite() {
    assertTrue(
        InMemorySlidingWindow.create(SlidingWindowPolicy.of(1, Duration.ofSeconds(1)))
            .tryAcquire("a")
            .allowed());
  }
}
