package dev.weir.comparison;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A window meter judges a limiter's decisions by one measure for all algorithms: the permits that
 * were admitted for a key in the half-open window {@code (time - window, time]}.
 *
 * <p>It takes the decisions in the order of true time, once each, and remembers per key only what
 * was admitted within the last window.
 */
final class WindowMeter {

  private final long limit;
  private final long window;
  private @Nullable Ring[] rings = new @Nullable Ring[64];
  private long[] peaks = new long[64];
  private long overAdmissions;
  private long falseDenials;
  private long worstCount;
  private int worstKey;
  private long worstTime;

  WindowMeter(long limit, long window) {
    this.limit = limit;
    this.window = window;
  }

  void decided(int key, long time, long permits, boolean allowed) {
    if (key >= rings.length) {
      int larger = Math.max(key + 1, 2 * rings.length);
      rings = Arrays.copyOf(rings, larger);
      peaks = Arrays.copyOf(peaks, larger);
    }
    Ring ring = rings[key];
    long used = 0;
    if (ring != null) {
      ring.forgetUntil(time - window);
      used = ring.sum;
    }
    boolean fits = permits <= limit - used;
    if (!allowed) {
      falseDenials += fits ? 1 : 0;
      return;
    }
    overAdmissions += fits ? 0 : 1;
    if (ring == null) {
      ring = new Ring();
      rings[key] = ring;
    }
    ring.add(time, permits);
    peaks[key] = Math.max(peaks[key], ring.sum);
    if (ring.sum > worstCount) { // not >=: the first in time wins a tie
      worstCount = ring.sum;
      worstKey = key;
      worstTime = time;
    }
  }

  /** How often more than the limit was admitted in a window. */
  long overAdmissions() {
    return overAdmissions;
  }

  /** How often a request was denied that would have kept its window within the limit. */
  long falseDenials() {
    return falseDenials;
  }

  /** The most permits admitted for one key in one window, 0 if nothing was admitted. */
  long worstCount() {
    return worstCount;
  }

  int worstKey() {
    return worstKey;
  }

  /** The time at which the worst window ends; the window includes it. */
  long worstTime() {
    return worstTime;
  }

  /** The most permits admitted for this key in one window. */
  long peak(int key) {
    return key < peaks.length ? peaks[key] : 0;
  }

  /** What was admitted for a key, oldest first: pairs of time and permits in a circle. */
  private static final class Ring {

    private long[] slots = new long[4];
    private int head; // the slot of the oldest pair
    private int pairs;
    long sum;

    void forgetUntil(long time) {
      while (pairs > 0 && slots[head] <= time) {
        sum -= slots[head + 1];
        head = (head + 2) & (slots.length - 1);
        pairs--;
      }
    }

    void add(long time, long permits) {
      sum += permits;
      if (pairs > 0) {
        int newest = (head + 2 * (pairs - 1)) & (slots.length - 1);
        if (slots[newest] == time) {
          slots[newest + 1] += permits;
          return;
        }
      }
      if (2 * pairs == slots.length) {
        long[] larger = new long[2 * slots.length];
        System.arraycopy(slots, head, larger, 0, slots.length - head);
        System.arraycopy(slots, 0, larger, slots.length - head, head);
        slots = larger;
        head = 0;
      }
      int free = (head + 2 * pairs) & (slots.length - 1);
      slots[free] = time;
      slots[free + 1] = permits;
      pairs++;
    }
  }
}
