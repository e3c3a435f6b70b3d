package dev.weir.comparison;

import java.util.Arrays;

/**
 * A value that changes in steps, seen through the columns of a plot: of each column the least, the
 * greatest and the last value are kept, so however many steps there are, none that shows is lost.
 */
final class StepCurve {

  private final long from;
  private final long to;
  private final long[] least;
  private final long[] greatest;
  private final long[] last;
  private final boolean[] changed;
  private long initial;

  StepCurve(long from, long to, int columns) {
    this.from = from;
    this.to = to;
    least = new long[columns];
    greatest = new long[columns];
    last = new long[columns];
    changed = new boolean[columns];
    Arrays.fill(least, Long.MAX_VALUE);
  }

  /** From this time on it is this value; times do not go back. */
  void set(long time, long value) {
    if (time < from) {
      initial = value;
    } else if (time < to) {
      int column = (int) ((double) (time - from) / (to - from) * columns());
      column = Math.min(column, columns() - 1);
      least[column] = Math.min(least[column], value);
      greatest[column] = Math.max(greatest[column], value);
      last[column] = value;
      changed[column] = true;
    }
  }

  /** Returns the columns from one to before another as a curve of their own. */
  StepCurve part(int first, int end) {
    double width = (double) (to - from) / columns();
    StepCurve part =
        new StepCurve(from + (long) (first * width), from + (long) (end * width), end - first);
    part.initial = initial;
    for (int i = 0; i < end; i++) {
      if (changed[i] && i < first) {
        part.initial = last[i];
      } else if (changed[i]) {
        part.least[i - first] = least[i];
        part.greatest[i - first] = greatest[i];
        part.last[i - first] = last[i];
        part.changed[i - first] = true;
      }
    }
    return part;
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  int columns() {
    return last.length;
  }

  long initial() {
    return initial;
  }

  boolean isChanged(int column) {
    return changed[column];
  }

  long least(int column) {
    return least[column];
  }

  long greatest(int column) {
    return greatest[column];
  }

  long last(int column) {
    return last[column];
  }

  /** The greatest value anywhere. */
  long peak() {
    long peak = initial;
    for (int i = 0; i < columns(); i++) {
      peak = changed[i] ? Math.max(peak, greatest[i]) : peak;
    }
    return peak;
  }
}
