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

  /** Takes the next events from the cursor; false if there are no more. */
  boolean fill(Trace trace, Trace.Cursor cursor) {
    size = 0;
    while (size < SIZE && cursor.next()) {
      keys[size] = cursor.key();
      names[size] = trace.keyName(cursor.key());
      times[size] = cursor.timeMicros();
      clocks[size] = cursor.clockMicros();
      permits[size] = cursor.permits();
      size++;
    }
    return size > 0;
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
