package dev.weir.comparison;

import dev.weir.Quota;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * How clients behave when a request is denied.
 *
 * @param mode whether and when they come again
 * @param interval the time between two tries of {@link Mode#HAMMER}; empty for the others
 */
public record Clients(Mode mode, Optional<Duration> interval) {

  /** Whether and when a client comes again. */
  public enum Mode {
    /** Not at all: every request of the trace is made once. */
    OPEN,
    /** After the wait that the denial told. */
    OBEY,
    /** Again and again after a fixed interval, whatever the denial told. */
    HAMMER
  }

  private static final String FORM = ", must be open, obey or hammer:INTERVAL like hammer:1s";

  /**
   * Checks the components against each other.
   *
   * @param mode the component of that name
   * @param interval the component of that name
   * @throws NullPointerException if a component is null
   * @throws IllegalArgumentException if there is an interval without {@link Mode#HAMMER}, none with
   *     it, or one that is not from 1 ms to 366 days in whole microseconds
   */
  public Clients {
    Objects.requireNonNull(mode, "mode");
    if (interval.isPresent() != (mode == Mode.HAMMER)) {
      throw new IllegalArgumentException("an interval goes with hammer, and with nothing else");
    }
    interval.ifPresent(gap -> Quota.of(1, gap)); // the same bounds as a window's
  }

  /**
   * Returns clients that make every request of the trace once.
   *
   * @return open clients
   */
  public static Clients open() {
    return new Clients(Mode.OPEN, Optional.empty());
  }

  /**
   * Returns clients that come again when the denial told them to.
   *
   * @return obedient clients
   */
  public static Clients obey() {
    return new Clients(Mode.OBEY, Optional.empty());
  }

  /**
   * Returns clients that come again after a fixed interval.
   *
   * @param interval the time between two tries, from 1 ms to 366 days in whole microseconds
   * @return hammering clients
   * @throws NullPointerException if {@code interval} is null
   * @throws IllegalArgumentException if {@code interval} is out of its bounds
   */
  public static Clients hammer(Duration interval) {
    return new Clients(Mode.HAMMER, Optional.of(interval));
  }

  /**
   * Returns the clients that a text describes.
   *
   * @param text {@code open}, {@code obey} or {@code hammer:1s}
   * @return the clients
   * @throws NullPointerException if {@code text} is null
   * @throws IllegalArgumentException if the text has another form
   */
  public static Clients parse(String text) {
    if (text.equals("open")) {
      return open();
    }
    if (text.equals("obey")) {
      return obey();
    }
    if (text.startsWith("hammer:")) {
      try {
        return hammer(Quota.parse("1/" + text.substring("hammer:".length())).window());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("clients are '" + text + "'" + FORM, e);
      }
    }
    throw new IllegalArgumentException("clients are '" + text + "'" + FORM);
  }

  /**
   * Returns the text form.
   *
   * @return a text that {@link #parse(String)} reads back as equal clients
   */
  @Override
  public String toString() {
    return mode.name().toLowerCase(Locale.ROOT)
        + interval.map(gap -> ":" + Micros.text(gap)).orElse("");
  }
}
