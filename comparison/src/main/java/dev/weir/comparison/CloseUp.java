package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.internal.Micros;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * A close-up of one key around its worst window, two windows on either side: what was admitted and
 * denied, the rolling count, and the level of the state.
 *
 * <p>It is taken by a replay of that key alone, for no other key changes its decisions.
 */
final class CloseUp {

  static final int COLUMNS = 720;

  final String key;
  final long from;
  final long to;
  final long worstFrom;
  final long worstTo;

  /** Permits admitted within the last window; the finer columns show single requests. */
  final StepCurve rolling;

  /** What would have been left at the time of each column. */
  final long[] level = new long[COLUMNS];

  final boolean[] admitted = new boolean[2 * COLUMNS];
  final boolean[] denied = new boolean[2 * COLUMNS];

  /** The requests in the worst window and shortly after, for a look from nearer. */
  final Requests nearby = new Requests();

  private int sampled;

  private CloseUp(String key, long worstTime, long window) {
    this.key = key;
    worstFrom = worstTime - window;
    worstTo = worstTime;
    from = worstFrom - 2 * window;
    to = worstTo + 2 * window;
    rolling = new StepCurve(from, to, 2 * COLUMNS);
  }

  /** Replays the key on a fresh limiter. */
  static CloseUp of(Trace trace, Clients clients, Lane fresh, int key, long worstTime) {
    CloseUp closeUp = new CloseUp(trace.keyName(key), worstTime, fresh.window);
    closeUp.replay(EventSource.of(trace, clients, key), fresh);
    return closeUp;
  }

  private void replay(EventSource events, Lane lane) {
    ArrayDeque<long[]> counted = new ArrayDeque<>(); // time and permits of what is in the window
    long[] count = {0};
    long offset = 0;
    Batch batch = new Batch();
    while (events.fill(batch)) {
      lane.decisions.clear();
      for (int i = 0; i < batch.size; i++) {
        long time = batch.times[i];
        sampleUntil(time, offset, lane);
        offset = batch.clocks[i] - time;
        lane.clock.set(batch.clocks[i]);
        Decision decision = lane.limiter.tryAcquire(key, batch.permits[i]);
        lane.decisions.set(i, decision);
        forgetUntil(time, lane.window, counted, count);
        if (decision.allowed()) {
          count[0] += batch.permits[i];
          counted.add(new long[] {time, batch.permits[i]});
          rolling.set(time, count[0]);
        }
        if (time > worstFrom && time <= worstTo + lane.window / 4) {
          nearby.add(time, decision.allowed());
        }
        if (time >= from && time < to) {
          int column = (int) ((double) (time - from) / (to - from) * admitted.length);
          (decision.allowed() ? admitted : denied)[column] = true;
        }
        if (time >= to) {
          sampleUntil(to, offset, lane);
          forgetUntil(to, lane.window, counted, count);
          return;
        }
      }
      events.decided(batch, lane.decisions);
    }
    sampleUntil(to, offset, lane);
    forgetUntil(to, lane.window, counted, count);
  }

  private void forgetUntil(long time, long window, ArrayDeque<long[]> counted, long[] count) {
    for (long[] oldest = counted.peek();
        oldest != null && oldest[0] + window <= time;
        oldest = counted.peek()) {
      counted.remove();
      count[0] -= oldest[1];
      rolling.set(oldest[0] + window, count[0]);
    }
  }

  /** Peeks at the times of the columns before this time. */
  private void sampleUntil(long time, long offset, Lane lane) {
    for (; sampled < COLUMNS; sampled++) {
      long at = from + (to - from) / COLUMNS * sampled;
      if (at >= time) {
        return;
      }
      if (at + offset < 0 || at + offset > Micros.MAX_TIME) {
        continue;
      }
      lane.clock.set(at + offset);
      Decision decision = lane.limiter.peek(key, 1);
      level[sampled] = decision.remaining() + (decision.allowed() ? 1 : 0);
    }
  }

  /** Times of requests, each admitted or denied; the first of very many. */
  static final class Requests {

    private static final int MOST = 20_000;

    private long[] times = new long[256];
    private boolean[] admitted = new boolean[256];
    private int size;

    private void add(long time, boolean allowed) {
      if (size < MOST) {
        if (size == times.length) {
          times = Arrays.copyOf(times, 2 * size);
          admitted = Arrays.copyOf(admitted, 2 * size);
        }
        times[size] = time;
        admitted[size++] = allowed;
      }
    }

    int size() {
      return size;
    }

    long time(int request) {
      return times[request];
    }

    boolean isAdmitted(int request) {
      return admitted[request];
    }
  }
}
