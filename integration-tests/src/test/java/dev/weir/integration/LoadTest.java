package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A check that no limiter fails would prove nothing. */
class LoadTest {

  @Test
  void nothingIsWrongWithTheLimitersWhereNothingIsBroken() {
    Load.Audit audit = admitted(UnaryOperator.identity());

    assertThat(audit.admitted()).isGreaterThanOrEqualTo(300);
    assertThat(audit.failed()).isZero();
    assertThat(audit.chargedTwice()).isZero();
    assertThat(audit.forgotten()).isZero();
  }

  /** Else all that breaks under it would break single calls only. */
  @Test
  void mostCallsOfTheLoadLeaveInPipelines() {
    try (RespClient redis = new RespClient(TestRedis.uri());
        Load load = Load.start(TestRedis.redisson(), Algorithm.patient())) {
      load.awaitAdmitted(300);
      redis.call("CONFIG", "RESETSTAT");
      load.awaitAdmitted(3_000);
      long reads = Long.parseLong(redis.info("stats", "total_reads_processed"));
      long calls = redis.calls("evalsha");
      load.stop();

      Measured.say("load: %,d calls in %,d reads of the server", calls, reads);
      assertThat(reads).isLessThan(calls * 2 / 3);
    }
  }

  @Test
  void whatIsChargedTwiceIsCounted() {
    Load.Audit audit = admitted(WrongLimiter::sendingTwice);

    assertThat(audit.chargedTwice()).isGreaterThan(audit.admitted() / 2);
    assertThat(audit.forgotten()).isZero();
  }

  @Test
  void whatIsAdmittedWithoutAChargeIsCounted() {
    Load.Audit audit = admitted(WrongLimiter::admittingHalfWithoutAsking);

    assertThat(audit.forgotten()).isBetween(audit.admitted() / 3, audit.admitted() * 2 / 3);
    assertThat(audit.chargedTwice()).isZero();
  }

  @Test
  void hotKeysThatAreAdmittedWithoutAskingExceedTheBound() {
    assertThat(overAdmitted(UnaryOperator.identity())).isZero();
    assertThat(overAdmitted(WrongLimiter::admittingHalfWithoutAsking)).isPositive();
  }

  @Test
  void aDenialOfWhatFitsIsWrong() {
    assertThatThrownBy(() -> admitted(WrongLimiter::denying))
        .hasMessageContaining("denied what fits");
  }

  @Test
  void aFailureThatIsNotUnavailableIsWrong() {
    assertThatThrownBy(() -> failed(new IllegalStateException("the store is gone")))
        .hasMessageContaining("failed otherwise than unavailable");
  }

  @Test
  void aFailureThatTellsTheKeyIsWrong() {
    assertThatThrownBy(
            () ->
                failed(
                    new RateLimiterUnavailableException(
                        "Redis failed", new IllegalStateException(Load.SECRET + "1"))))
        .hasMessageContaining("tells the key");
  }

  private static Load.Audit admitted(UnaryOperator<RateLimiter> made) {
    try (Load load = Load.start(TestRedis.redisson(), Algorithm.patient(), made)) {
      load.awaitAdmitted(300);
      return load.stop();
    }
  }

  private static void failed(RuntimeException failure) {
    try (Load load =
        Load.start(
            TestRedis.redisson(),
            Algorithm.patient(),
            right -> WrongLimiter.failing(right, failure))) {
      load.awaitFailed(10);
      load.stop();
    }
  }

  private static long overAdmitted(UnaryOperator<RateLimiter> made) {
    try (HotKeys hot = HotKeys.start(TestRedis.redisson(), Algorithm.patient(), made);
        Load load = Load.start(TestRedis.redisson(), Algorithm.patient())) {
      load.awaitAdmitted(1_000);
      hot.stop();
      return hot.overAdmitted(call -> true);
    }
  }
}
