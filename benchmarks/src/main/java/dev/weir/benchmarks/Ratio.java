package dev.weir.benchmarks;

import java.util.Locale;

/**
 * A ratio that a target is set for: what is measured of Weir divided by what is measured of
 * something else in the same run, so that it depends little on the machine.
 *
 * @param what what is compared with what, as a reader of a table understands it
 * @param target the bound
 * @param atLeast whether the ratio should be at least the target (more is better, such as calls a
 *     second); otherwise it should be at most the target (less is better, such as time or bytes)
 * @param median the median of the ratios of all rounds
 * @param low the lowest ratio of a round
 * @param high the highest ratio of a round
 */
public record Ratio(
    String what, double target, boolean atLeast, double median, double low, double high) {

  /** The first two lines of a Markdown table whose rows are those of {@link #row()}. */
  public static final String HEAD =
      "| | target | measured | lowest to highest | met |\n|---|---|---|---|---|";

  /**
   * Checks that the spread holds the median.
   *
   * @param what the component of that name
   * @param target the component of that name
   * @param atLeast the component of that name
   * @param median the component of that name
   * @param low the component of that name
   * @param high the component of that name
   * @throws IllegalArgumentException if {@code median} is not between {@code low} and {@code high}
   */
  public Ratio {
    if (!(low <= median && median <= high)) {
      throw new IllegalArgumentException(
          "median is " + median + ", must be from " + low + " to " + high);
    }
  }

  /**
   * Returns the ratio of all rounds.
   *
   * @param what the component of that name
   * @param target the component of that name
   * @param atLeast the component of that name
   * @param perRound the ratio of each round, one at least
   * @return the record, with the upper median
   */
  public static Ratio of(String what, double target, boolean atLeast, double... perRound) {
    Spread spread = Spread.of(perRound);
    return new Ratio(what, target, atLeast, spread.median(), spread.low(), spread.high());
  }

  /**
   * Returns whether the median meets the target.
   *
   * @return whether it does
   */
  public boolean isMet() {
    return atLeast ? median >= target : median <= target;
  }

  /**
   * Returns the row of a Markdown table.
   *
   * @return one line
   */
  public String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s %s | %s | %s to %s | %s |",
        what,
        atLeast ? "at least" : "at most",
        text(target),
        text(median),
        text(low),
        text(high),
        isMet() ? "yes" : "**no**");
  }

  /** Two decimals below 10, one below 100, else none. */
  private static String text(double value) {
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
