package dev.weir.comparison;

import org.jspecify.annotations.Nullable;

/** Where the events of a replay come from: a trace, and clients that answer to the decisions. */
interface EventSource {

  /** Takes the next events; false if there are no more. */
  boolean fill(Batch batch);

  /** Learns how the events of the batch were decided. */
  default void decided(Batch batch, Batch.Decisions decisions) {}

  /** What became of the clients, or null if they did not try again. */
  default Result.@Nullable Persistence persistence() {
    return null;
  }

  /** Returns the events of one key, or of {@link Trace#ALL_KEYS}. */
  static EventSource of(Trace trace, Clients clients, int key) {
    return clients.mode() == Clients.Mode.OPEN
        ? new Open(trace, key)
        : new ClosedLoop(trace, clients, key);
  }

  /** The events of a trace, each once. */
  final class Open implements EventSource {

    private final Trace trace;
    private final Trace.Cursor cursor;

    private Open(Trace trace, int key) {
      this.trace = trace;
      cursor = trace.cursor(key);
    }

    @Override
    public boolean fill(Batch batch) {
      batch.size = 0;
      while (batch.size < Batch.SIZE && cursor.next()) {
        batch.add(
            cursor.key(),
            trace.keyName(cursor.key()),
            cursor.timeMicros(),
            cursor.clockMicros(),
            cursor.permits());
      }
      return batch.size > 0;
    }
  }
}
