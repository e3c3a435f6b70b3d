package dev.weir.comparison;

/** How many requests came and were admitted over time, in so many bins that a plot has columns. */
final class TimeBins {

  static final int BINS = 720;

  private final long start;
  private long width; // microseconds
  private final long[] offered = new long[BINS];
  private final long[] admitted = new long[BINS];

  TimeBins(long start, long end) {
    this.start = start;
    width = (end - start) / BINS + 1;
  }

  void add(long time, boolean allowed) {
    while ((time - start) / width >= BINS) { // clients that come again come after the trace's end
      halve(offered);
      halve(admitted);
      width *= 2;
    }
    int bin = (int) ((time - start) / width);
    offered[bin]++;
    admitted[bin] += allowed ? 1 : 0;
  }

  private static void halve(long[] bins) {
    for (int i = 0; i < BINS; i++) {
      bins[i] = i < BINS / 2 ? bins[2 * i] + bins[2 * i + 1] : 0;
    }
  }

  long start() {
    return start;
  }

  long end() {
    return start + BINS * width;
  }

  long width() {
    return width;
  }

  long offered(int bin) {
    return offered[bin];
  }

  long admitted(int bin) {
    return admitted[bin];
  }

  long most() {
    long most = 1;
    for (long count : offered) {
      most = Math.max(most, count);
    }
    return most;
  }
}
