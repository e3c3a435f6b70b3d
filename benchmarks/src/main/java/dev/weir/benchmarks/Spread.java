package dev.weir.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/**
 * The lowest, the middle and the highest of some figures.
 *
 * @param median the upper one of two in the middle
 */
record Spread(double low, double median, double high) {

  static Spread of(double... figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  static Spread of(Collection<Double> figures) {
    return of(figures.stream().mapToDouble(figure -> figure).toArray());
  }

  /** Returns the three as the cells of a table show them, such as {@code 1.02, 0.97 to 1.10}. */
  String text(String format) {
    return String.format(Locale.ROOT, format + ", " + format + " to " + format, median, low, high);
  }
}
