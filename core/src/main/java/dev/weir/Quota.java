package dev.weir;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A quota is a limit in the form that every algorithm can be made from: so many permits per window.
 *
 * <p>Its text form is {@code 100/1m} or {@code 100/1m burst 20}, with the units {@code us ms s m h
 * d}; {@link #toString()} and {@link #parse(String)} are each other's inverse.
 *
 * @param limit permits per window, from 1 to 10<sup>12</sup>
 * @param window the window, from 1 ms to 366 days in whole microseconds
 * @param burst the capacity of a token bucket, from 1 to 10<sup>12</sup>; the limit where empty; no
 *     other algorithm reads it
 */
public record Quota(long limit, Duration window, OptionalLong burst) {

  private static final Pattern TEXT =
      Pattern.compile(
          "(?<limit>\\d{1,19})\\s*/\\s*(?<amount>\\d{0,19})(?<unit>us|ms|s|m|h|d)"
              + "(?:\\s+burst\\s+(?<burst>\\d{1,19}))?");

  /**
   * Checks the bounds.
   *
   * @param limit the component of that name
   * @param window the component of that name
   * @param burst the component of that name
   * @throws NullPointerException if a component is null
   * @throws IllegalArgumentException if a component is out of its bounds
   */
  public Quota {
    Objects.requireNonNull(burst, "burst");
    Bounds.checkPermits("limit", limit);
    Bounds.checkWindow("window", window);
    if (burst.isPresent()) {
      Bounds.checkPermits("burst", burst.getAsLong());
    }
  }

  /**
   * Returns the quota of so many permits per window, without a burst of its own.
   *
   * @param limit permits per window, from 1 to 10<sup>12</sup>
   * @param window the window, from 1 ms to 366 days in whole microseconds
   * @return the quota
   * @throws NullPointerException if {@code window} is null
   * @throws IllegalArgumentException if {@code limit} or {@code window} is out of its bounds
   */
  public static Quota of(long limit, Duration window) {
    return new Quota(limit, window, OptionalLong.empty());
  }

  /**
   * Returns this quota with the given burst.
   *
   * @param burst the capacity of a token bucket, from 1 to 10<sup>12</sup>
   * @return the quota
   * @throws IllegalArgumentException if {@code burst} is out of its bounds
   */
  public Quota withBurst(long burst) {
    return new Quota(limit, window, OptionalLong.of(burst));
  }

  /**
   * Returns one node's share of this quota: limit and burst divided by the number of nodes, rounded
   * down, but at least 1; the window stays.
   *
   * <p>All shares together never exceed this quota where limit and burst are at least {@code
   * nodes}; below that every node still admits one permit a window.
   *
   * @param nodes how many nodes share the quota, at least 1
   * @return the share
   * @throws IllegalArgumentException if {@code nodes} is below 1
   */
  public Quota dividedBy(int nodes) {
    return new Quota(
        Bounds.share(limit, nodes),
        window,
        burst.isPresent()
            ? OptionalLong.of(Bounds.share(burst.getAsLong(), nodes))
            : OptionalLong.empty());
  }

  /**
   * Returns the quota that a text describes, such as {@code 100/1m}, {@code 5/s} or {@code 20/1s
   * burst 5}.
   *
   * @param text the limit, a slash, the window with its unit ({@code us ms s m h d}; a window
   *     without a number is one unit), and optionally the word {@code burst} with a number
   * @return the quota
   * @throws NullPointerException if {@code text} is null
   * @throws IllegalArgumentException if the text has another form, or a value is out of its bounds
   */
  public static Quota parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "quota is '"
              + text
              + "', must be LIMIT/WINDOW, with a unit of us, ms, s, m, h or d, such as 100/1m or"
              + " '20/1s burst 5'");
    }
    try {
      long limit = Long.parseLong(matcher.group("limit"));
      String amount = matcher.group("amount");
      Duration window =
          Duration.of(amount.isEmpty() ? 1 : Long.parseLong(amount), unit(matcher.group("unit")));
      String burst = matcher.group("burst");
      return new Quota(
          limit,
          window,
          burst == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(burst)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("quota is '" + text + "', a number in it is too large", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("quota is '" + text + "': " + e.getMessage(), e);
    }
  }

  /**
   * Returns the text form, with the largest unit that gives a whole number: {@code 100/1m burst
   * 20}.
   *
   * @return a text that {@link #parse(String)} reads back as an equal quota
   */
  @Override
  public String toString() {
    String text = limit + "/" + Micros.text(window);
    return burst.isPresent() ? text + " burst " + burst.getAsLong() : text;
  }

  private static ChronoUnit unit(String symbol) {
    return switch (symbol) {
      case "us" -> ChronoUnit.MICROS;
      case "ms" -> ChronoUnit.MILLIS;
      case "s" -> ChronoUnit.SECONDS;
      case "m" -> ChronoUnit.MINUTES;
      case "h" -> ChronoUnit.HOURS;
      default -> ChronoUnit.DAYS;
    };
  }
}
