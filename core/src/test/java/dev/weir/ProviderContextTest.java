package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ProviderContextTest {

  private static final ProviderContext CONTEXT = ProviderContext.of("api");

  @Test
  void aContextStartsWithItsNamespaceAlone() {
    assertThat(CONTEXT.namespace()).isEqualTo("api");
    assertThat(CONTEXT.clock()).isEmpty();
    assertThat(CONTEXT.find(String.class)).isEmpty();
  }

  @Test
  void resourcesAreFoundByTheirType() {
    ProviderContext context = CONTEXT.with(CharSequence.class, "a").with(Integer.class, 1);
    assertThat(context.require(CharSequence.class)).isEqualTo("a");
    assertThat(context.find(Integer.class)).contains(1);
    assertThat(context.find(String.class)).isEmpty();
    assertThat(context.with(Integer.class, 2).require(Integer.class)).isEqualTo(2);
  }

  @Test
  void aChangedCopyLeavesTheOriginalAsItIs() {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    ProviderContext changed = CONTEXT.withClock(clock).with(Integer.class, 1);
    assertThat(changed.clock()).contains(clock);
    assertThat(changed.namespace()).isEqualTo("api");
    assertThat(CONTEXT.clock()).isEmpty();
    assertThat(CONTEXT.find(Integer.class)).isEmpty();
  }

  @Test
  void anotherNamespaceKeepsTheClockAndTheResources() {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    ProviderContext context = CONTEXT.withClock(clock).with(Integer.class, 1);
    ProviderContext other = context.withNamespace("login");
    assertThat(other.namespace()).isEqualTo("login");
    assertThat(other.clock()).contains(clock);
    assertThat(other.require(Integer.class)).isEqualTo(1);
    assertThat(context.namespace()).isEqualTo("api");
    assertThatNullPointerException().isThrownBy(() -> context.withNamespace(null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.withNamespace(""))
        .withMessageContaining("namespace is empty");
  }

  @Test
  void aMissingResourceIsRefusedByItsType() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CONTEXT.require(Integer.class))
        .withMessageContaining("java.lang.Integer");
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProviderContext.of(""))
        .withMessageContaining("namespace is empty");
    assertThatNullPointerException().isThrownBy(() -> ProviderContext.of(null));
    assertThatNullPointerException().isThrownBy(() -> CONTEXT.withClock(null));
    assertThatNullPointerException().isThrownBy(() -> CONTEXT.with(Integer.class, null));
  }
}
