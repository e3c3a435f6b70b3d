package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.util.PriorityQueue;

/**
 * The events of a trace and the later tries of the clients that were denied.
 *
 * <p>A batch holds events of one instant only, for every denial moves events to come. At one
 * instant, those who come again are first, in the order in which they were denied, and then those
 * who come for the first time.
 */
final class ClosedLoop implements EventSource {

  /** After so many tries a client gives up; no useful limiter makes one try so often. */
  static final int MOST_TRIES = 10_000;

  private final Trace trace;
  private final Trace.Cursor cursor;
  private final Clients clients;
  private final PriorityQueue<Try> retries = new PriorityQueue<>();
  private final Try[] batchTries = new Try[Batch.SIZE];
  private boolean traceHasNext;
  private long sequence;
  private long requests;
  private long attempts;
  private long admitted;
  private long gaveUp;
  private BigInteger waited = BigInteger.ZERO;
  private long longestWait;

  ClosedLoop(Trace trace, Clients clients, int key) {
    this.trace = trace;
    this.clients = clients;
    cursor = trace.cursor(key);
    traceHasNext = cursor.next();
  }

  @Override
  public boolean fill(Batch batch) {
    batch.size = 0;
    Try retry = retries.peek();
    if (retry == null && !traceHasNext) {
      return false;
    }
    long now =
        Math.min(
            retry == null ? Long.MAX_VALUE : retry.time,
            traceHasNext ? cursor.timeMicros() : Long.MAX_VALUE);
    long clock = now + cursor.clockOffset();
    for (; retry != null && retry.time == now && batch.size < Batch.SIZE; retry = retries.peek()) {
      add(batch, retries.remove(), clock);
    }
    while (traceHasNext && cursor.timeMicros() == now && batch.size < Batch.SIZE) {
      requests++;
      add(batch, new Try(now, 0, now, 1, cursor.key(), cursor.permits()), cursor.clockMicros());
      traceHasNext = cursor.next();
    }
    return true;
  }

  private void add(Batch batch, Try attempt, long clock) {
    attempts++;
    batchTries[batch.size] = attempt;
    batch.add(attempt.key, trace.keyName(attempt.key), attempt.time, clock, attempt.permits);
  }

  @Override
  public void decided(Batch batch, Batch.Decisions decisions) {
    for (int i = 0; i < batch.size; i++) {
      Try attempt = batchTries[i];
      Decision decision = decisions.get(i);
      if (decision.allowed()) {
        admitted++;
        long wait = attempt.time - attempt.start;
        waited = waited.add(BigInteger.valueOf(wait));
        longestWait = Math.max(longestWait, wait);
      } else if (decision.retryAfter().equals(Decision.NEVER) || attempt.number >= MOST_TRIES) {
        gaveUp++;
      } else {
        long wait = Micros.of(clients.interval().orElse(decision.retryAfter()));
        retries.add(
            new Try(
                attempt.time + wait,
                sequence++,
                attempt.start,
                attempt.number + 1,
                attempt.key,
                attempt.permits));
      }
    }
  }

  @Override
  public Result.Persistence persistence() {
    return new Result.Persistence(
        clients,
        requests,
        attempts,
        admitted,
        gaveUp,
        admitted == 0 ? 0 : Lane.meanMillis(waited, admitted),
        longestWait / 1_000);
  }

  /** One try of a client: when, the how manyth, and when it first tried. */
  private record Try(long time, long sequence, long start, int number, int key, long permits)
      implements Comparable<Try> {

    @Override
    public int compareTo(Try other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }
}
