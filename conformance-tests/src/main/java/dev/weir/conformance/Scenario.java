package dev.weir.conformance;

import dev.weir.conformance.internal.Notation;
import java.time.Instant;
import java.util.List;

/**
 * A scenario is what a limiter is put through: a time to start from, and steps.
 *
 * <p>Its text form is, for example, {@code from 2026-01-01T00:00:00Z: acquire a 3; advance to
 * retry-1us; again}; {@link #toString()} and {@link #parse(String)} are each other's inverse.
 *
 * @param start what the clock says at first
 * @param steps what happens
 */
public record Scenario(Instant start, List<Step> steps) {

  /**
   * Copies the list.
   *
   * @param start the component of that name
   * @param steps the component of that name
   * @throws NullPointerException if a component is null
   */
  public Scenario {
    java.util.Objects.requireNonNull(start, "start");
    steps = List.copyOf(steps);
  }

  /**
   * Returns the scenario that a text describes.
   *
   * @param text the text form
   * @return the scenario
   * @throws NullPointerException if {@code text} is null
   * @throws IllegalArgumentException if the text has another form; the message says where
   */
  public static Scenario parse(String text) {
    return Notation.parse(text);
  }

  /**
   * Returns the text form.
   *
   * @return a text that {@link #parse(String)} reads back as an equal scenario
   */
  @Override
  public String toString() {
    return "from " + start + ": " + Notation.join(steps, "; ");
  }
}
