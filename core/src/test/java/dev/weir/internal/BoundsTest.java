package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class BoundsTest {

  @Test
  void aRequestForAtLeastOnePermitOfANamedKeyIsFine() {
    assertThatCode(() -> Bounds.checkRequest(" ", 1)).doesNotThrowAnyException();
    assertThatCode(() -> Bounds.checkRequest("a", Long.MAX_VALUE)).doesNotThrowAnyException();
  }

  @Test
  void anEmptyKeyAndTooFewPermitsAreRefusedWithTheBound() {
    assertThatNullPointerException().isThrownBy(() -> Bounds.checkRequest(null, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bounds.checkRequest("", 1))
        .withMessage("key is empty, must have at least 1 character");
    for (long permits : new long[] {0, -5, Long.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Bounds.checkRequest("secret", permits))
          .withMessage("permits is " + permits + ", must be at least 1");
    }
  }
}
