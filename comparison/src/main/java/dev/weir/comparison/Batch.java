package dev.weir.comparison;

import dev.weir.Decision;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Some consecutive events of a trace, in columns. */
final class Batch {

  static final int SIZE = 4096;

  final int[] keys = new int[SIZE];
  final String[] names = new String[SIZE];
  final long[] times = new long[SIZE];
  final long[] clocks = new long[SIZE];
  final long[] permits = new long[SIZE];
  int size;

  void add(int key, String name, long time, long clock, long permitCount) {
    keys[size] = key;
    names[size] = name;
    times[size] = time;
    clocks[size] = clock;
    permits[size] = permitCount;
    size++;
  }

  /** Whether two events differ in nothing but their places. */
  boolean isAlike(int one, int other) {
    return keys[one] == keys[other]
        && clocks[one] == clocks[other]
        && permits[one] == permits[other];
  }

  /** The decisions of one limiter on the events of a batch, in their order. */
  static final class Decisions {

    private final @Nullable Decision[] decisions = new @Nullable Decision[SIZE];

    void set(int event, Decision decision) {
      decisions[event] = decision;
    }

    Decision get(int event) {
      Decision decision = decisions[event];
      if (decision == null) {
        throw new IllegalStateException("event " + event + " of the batch was not decided");
      }
      return decision;
    }

    void clear() {
      Arrays.fill(decisions, null);
    }
  }
}
