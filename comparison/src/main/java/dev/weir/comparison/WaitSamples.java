package dev.weir.comparison;

import java.util.ArrayList;
import java.util.List;

/**
 * A sample of the waits that denials told, each with the wait that would have been enough: every
 * first, second, fourth and so on, so that at most so many are kept whatever their number.
 */
final class WaitSamples {

  private static final int MOST = 1_000;

  /** The wait that was told, and the shortest one that would have been enough, in microseconds. */
  record Wait(long told, long needed) {}

  private List<Wait> waits = new ArrayList<>();
  private long stride = 1;
  private long seen;

  /** Whether the next one is to be kept; to find out what it needed takes time. */
  boolean wantsNext() {
    return seen++ % stride == 0;
  }

  void add(long told, long needed) {
    if (waits.size() == MOST) {
      List<Wait> everySecond = new ArrayList<>();
      for (int i = 0; i < MOST; i += 2) {
        everySecond.add(waits.get(i));
      }
      waits = everySecond;
      stride *= 2;
    }
    waits.add(new Wait(told, needed));
  }

  List<Wait> waits() {
    return waits;
  }
}
