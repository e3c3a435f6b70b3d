package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiter;
import dev.weir.redis.testing.RedisProcess;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * System properties: {@code weir.soak.minutes}, and {@code weir.soak.seed} for the order of the
 * faults of an earlier run.
 */
class SoakTest {

  @Tag("soak")
  @Test
  void noFaultChargesTwiceOverAdmitsOrLeavesAKeyForEver(@TempDir Path directory) {
    double minutes = Double.parseDouble(System.getProperty("weir.soak.minutes", "10"));
    long seed = Long.getLong("weir.soak.seed", System.nanoTime());
    System.out.printf("soak of %.1f minutes, -Dweir.soak.seed=%d%n", minutes, seed);
    Soak soak = new Soak(seed, UnaryOperator.identity());
    soak.run(minutes, directory);
    System.out.print(soak);

    soak.check();
  }

  @Test
  void aLimiterThatSendsARequestTwiceFailsTheSoak(@TempDir Path directory) {
    assertThatThrownBy(() -> afterAFewFaults(WrongLimiter::sendingTwice, directory).check())
        .hasMessageContaining("double charges");
  }

  @Test
  void aLimiterThatAdmitsWithoutAskingFailsTheSoak(@TempDir Path directory) {
    assertThatThrownBy(
            () -> afterAFewFaults(WrongLimiter::admittingHalfWithoutAsking, directory).check())
        .hasMessageContaining("over-admissions beyond the bound");
  }

  @Test
  void aKeyWithoutATimeToLiveIsCounted() {
    try (RedisProcess server = RedisProcess.start()) {
      assertThat(Soak.keysWithoutTimeToLive(server)).isZero();
      server.call("SET", "mortal", "", "PX", "60000");
      assertThat(Soak.keysWithoutTimeToLive(server)).isZero();
      server.call("SET", "immortal", "");
      assertThat(Soak.keysWithoutTimeToLive(server)).isOne();
    }
  }

  private static Soak afterAFewFaults(UnaryOperator<RateLimiter> made, Path directory) {
    Soak soak = new Soak(1, made);
    soak.runShortly(directory);
    return soak;
  }
}
