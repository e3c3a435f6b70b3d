package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DecisionTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void anAdmissionNeedsNoRetry() {
    assertThat(Decision.admitted(5, 4, SECOND))
        .isEqualTo(new Decision(true, 5, 4, Duration.ZERO, SECOND));
  }

  @Test
  void aLimitOfOneIsEnough() {
    assertThat(Decision.admitted(1, 0, SECOND).remaining()).isZero();
  }

  @Test
  void aDenialSaysWhenToRetry() {
    assertThat(Decision.denied(5, 0, SECOND, SECOND))
        .isEqualTo(new Decision(false, 5, 0, SECOND, SECOND));
    assertThat(Decision.denied(5, 5, Decision.NEVER, Duration.ZERO).retryAfter())
        .isEqualTo(Decision.NEVER);
  }

  @Test
  void neverIsLongerThanAnyOtherWait() {
    assertThat(Decision.NEVER).isGreaterThan(Duration.ofDays(Long.MAX_VALUE / 86_400));
  }

  @Test
  void contradictionsAreRefusedWithTheValueAndTheBound() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.admitted(0, 0, SECOND))
        .withMessage("limit is 0, must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.admitted(5, 6, SECOND))
        .withMessage("remaining is 6, must be from 0 to the limit of 5");
    assertThatIllegalArgumentException().isThrownBy(() -> Decision.admitted(5, -1, SECOND));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.denied(5, 0, Duration.ZERO, SECOND))
        .withMessage("retryAfter is PT0S, must be above zero");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.denied(5, 0, Duration.ofNanos(-1), SECOND));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Decision(true, 5, 0, SECOND, SECOND))
        .withMessage("retryAfter is PT1S, must be zero");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Decision.admitted(5, 0, Duration.ofNanos(-1)))
        .withMessageContaining("resetAfter is PT-0.000000001S, must not be negative");
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException().isThrownBy(() -> Decision.admitted(5, 0, null));
    assertThatNullPointerException().isThrownBy(() -> Decision.denied(5, 0, null, SECOND));
  }
}
