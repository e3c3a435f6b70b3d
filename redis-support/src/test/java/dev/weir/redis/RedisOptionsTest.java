package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ProviderContext;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class RedisOptionsTest {

  private static final RedisOptions DEFAULTS = RedisOptions.defaults();

  @Test
  void theDefaultsAreThoseOfTheDocumentation() {
    assertThat(DEFAULTS.namespace()).isEqualTo("default");
    assertThat(DEFAULTS.timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(DEFAULTS.maxWaiting()).isEqualTo(10_000);
    assertThat(DEFAULTS.clock()).isEmpty();
  }

  @Test
  void aCopyDiffersInOneThingAndTheOriginalInNone() {
    RedisOptions all =
        DEFAULTS
            .withNamespace("n")
            .withTimeout(Duration.ofMillis(7))
            .withMaxWaiting(3)
            .withClock(InstantSource.system());

    assertThat(all.namespace()).isEqualTo("n");
    assertThat(all.timeout()).isEqualTo(Duration.ofMillis(7));
    assertThat(all.maxWaiting()).isEqualTo(3);
    assertThat(all.clock()).contains(InstantSource.system());
    theDefaultsAreThoseOfTheDocumentation();
  }

  @Test
  void aContextGivesNamespaceAndClockAndItsResourceTheRest() {
    InstantSource clock = InstantSource.system();
    ProviderContext context = ProviderContext.of("context").withClock(clock);

    RedisOptions options =
        RedisOptions.of(
            context.with(
                RedisOptions.class,
                DEFAULTS.withNamespace("other").withTimeout(Duration.ofSeconds(9))));

    assertThat(options.namespace()).isEqualTo("context");
    assertThat(options.clock()).containsSame(clock);
    assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(RedisOptions.of(context).timeout()).isEqualTo(DEFAULTS.timeout());
  }

  @Test
  void aContextWithoutAClockKeepsThatOfTheResource() {
    InstantSource clock = InstantSource.system();

    RedisOptions options =
        RedisOptions.of(
            ProviderContext.of("n").with(RedisOptions.class, DEFAULTS.withClock(clock)));

    assertThat(options.clock()).containsSame(clock);
  }

  @Test
  void whatIsOutOfBoundsIsRefusedWithValueAndBound() {
    assertThatThrownBy(() -> DEFAULTS.withTimeout(Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeout is PT0.000999999S, must be from 1 ms to 1 h");
    assertThatThrownBy(() -> DEFAULTS.withTimeout(Duration.ofHours(1).plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("timeout is PT1H0.000000001S");
    assertThatThrownBy(() -> DEFAULTS.withMaxWaiting(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWaiting is 0, must be at least 1");
    assertThatThrownBy(() -> DEFAULTS.withNamespace(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("namespace is empty");
  }

  @Test
  void nullsAreRefused() {
    assertThatThrownBy(() -> DEFAULTS.withNamespace(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> DEFAULTS.withTimeout(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> DEFAULTS.withClock(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> RedisOptions.of(null)).isInstanceOf(NullPointerException.class);
  }
}
