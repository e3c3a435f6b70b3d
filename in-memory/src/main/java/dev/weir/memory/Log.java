package dev.weir.memory;

/**
 * The state of the sliding window log: a ring of entries, oldest first, one for each microsecond in
 * which permits were admitted.
 *
 * <p>An entry holds the running total of all permits up to it rather than its own, so that what any
 * run of entries sums to is one subtraction and what a request waits for is a binary search. Totals
 * may wrap; their differences do not.
 */
final class Log extends State<Log> {

  private static final int MIN_ENTRIES = 2;
  private static final long[] EMPTY = {};

  /** Time and total of each entry in turn; a power of two of entries, or none. */
  private long[] ring = EMPTY;

  private int head;
  private int size;

  /** The total before the first entry. */
  private long base;

  Log(String key) {
    super(key);
  }

  @Override
  void clear() {
    super.clear();
    ring = EMPTY;
    head = 0;
    size = 0;
  }

  /** Returns the size of what entries are held in. */
  int bytes() {
    return Long.BYTES * ring.length;
  }

  /** Returns the time of an entry. */
  long time(int entry) {
    return ring[slot(entry)];
  }

  /** Returns the permits of an entry and all after it. */
  long permitsFrom(int entry) {
    return totalBefore(size) - totalBefore(entry);
  }

  /** Returns the first entry later than a time, or the number of entries if there is none. */
  int firstAfter(long time) {
    int low = 0;
    int high = size;
    while (low < high) {
      int probe = probe(0, low, high);
      if (time(probe) > time) {
        high = probe;
      } else {
        low = probe + 1;
      }
    }
    return low;
  }

  /** Returns the first entry up to which the entries from another one on hold so many permits. */
  int firstReaching(long permits, int from) {
    long before = totalBefore(from);
    int low = from;
    int high = size - 1;
    while (low < high) {
      int probe = probe(from, low, high);
      if (totalBefore(probe + 1) - before >= permits) {
        high = probe;
      } else {
        low = probe + 1;
      }
    }
    return low;
  }

  /** Adds permits at a time that is not before the last one. */
  void append(long time, long permits) {
    if (time == last) {
      ring[slot(size - 1) + 1] += permits;
      return;
    }
    if (size == ring.length / 2) {
      resize(Math.max(MIN_ENTRIES, 2 * size));
    }
    int slot = slot(size);
    ring[slot] = time;
    ring[slot + 1] = totalBefore(size) + permits;
    size++;
    last = time;
  }

  /** Forgets the entries before another one. */
  void dropBefore(int entry) {
    base = totalBefore(entry);
    head += entry;
    size -= entry;
    if (size < ring.length / 8 && ring.length > 2 * MIN_ENTRIES) {
      resize(Math.max(MIN_ENTRIES, 2 * Integer.highestOneBit(size)));
    } else {
      head &= ring.length - 1;
    }
  }

  /**
   * Returns where a search from an entry on looks next: in the middle, but at first no further away
   * than twice what is ruled out, for the answer is most often among the oldest entries.
   */
  private static int probe(int from, int low, int high) {
    return Math.min(from + 2 * (low - from), (low + high) >>> 1);
  }

  private long totalBefore(int entry) {
    return entry == 0 ? base : ring[slot(entry - 1) + 1];
  }

  private int slot(int entry) {
    return 2 * (head + entry) & (ring.length - 1);
  }

  private void resize(int entries) {
    long[] resized = new long[2 * entries];
    int oldest = slot(0);
    int untilWrap = Math.min(2 * size, ring.length - oldest);
    System.arraycopy(ring, oldest, resized, 0, untilWrap);
    System.arraycopy(ring, 0, resized, untilWrap, 2 * size - untilWrap);
    ring = resized;
    head = 0;
  }
}
