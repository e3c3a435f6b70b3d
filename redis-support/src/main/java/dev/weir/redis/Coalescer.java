package dev.weir.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests that wait on one key: while a call for the key is in flight, later requests
 * stand in line, and when it is back they leave together, as one call.
 *
 * <p>A request that finds the flying call old does not wait for it: it sends what stands in line,
 * itself included, so that one lost reply does not fail a whole hot key. There is no timer that
 * collects more, and a lone request leaves at once.
 */
final class Coalescer {

  /** The most requests of one call, so that no call keeps the server busy for long. */
  static final int MAX_BATCH = 128;

  private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ScriptCall call;
  private final LongSupplier nanoTime;

  /** Those keys that a call is in flight for. */
  final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

  /**
   * Creates a coalescer of one limiter.
   *
   * @param nanoTime tells how old a flying call is, such as {@link System#nanoTime()}
   */
  Coalescer(ScriptCall call, LongSupplier nanoTime) {
    this.call = call;
    this.nanoTime = nanoTime;
  }

  /** Sends a request, alone or with others. */
  void submit(String name, Request request) {
    List<Request> departing = new ArrayList<>();
    lines.compute(
        name, (key, line) -> (line == null ? new Line() : line).arrive(request, departing));
    fly(name, departing);
  }

  private void fly(String name, List<Request> departing) {
    List<Request> batch = departing;
    while (!batch.isEmpty()) {
      List<Request> flying = batch;
      CompletableFuture<List<Long>> reply = call.send(ScriptCall.ACQUIRE, name, flying);
      if (!reply.isDone()) {
        Future<?> unused =
            reply.whenComplete(
                (integers, failure) -> {
                  // The next call goes first: those who get their decision may do anything then.
                  fly(name, land(name));
                  call.settle(flying, integers, failure);
                });
        return;
      }
      // Failed at once: a loop, for a recursion would be as deep as the line is long.
      batch = land(name);
      Future<?> unused =
          reply.whenComplete((integers, failure) -> call.settle(flying, integers, failure));
    }
  }

  private List<Request> land(String name) {
    List<Request> departing = new ArrayList<>();
    lines.computeIfPresent(name, (key, line) -> line.land(departing));
    return departing;
  }

  /** The requests that wait on one key. Guarded by the map's entry. */
  final class Line {

    private final ArrayDeque<Request> waiting = new ArrayDeque<>(1);
    private int flights;
    private long lastDeparture;

    @Nullable Line arrive(Request request, List<Request> departing) {
      waiting.add(request);
      if (flights == 0 || nanoTime.getAsLong() - lastDeparture > OLD_NANOS) {
        depart(departing);
      }
      return flights == 0 ? null : this;
    }

    @Nullable Line land(List<Request> departing) {
      flights--;
      depart(departing);
      return flights == 0 ? null : this;
    }

    private void depart(List<Request> departing) {
      for (Request next = waiting.peek();
          next != null && departing.size() < MAX_BATCH;
          next = waiting.peek()) {
        if (!next.isDone()) {
          // One call has one time: only an injected clock tells callers different ones.
          if (!departing.isEmpty() && !departing.get(0).now.equals(next.now)) {
            break;
          }
          departing.add(next);
        }
        waiting.remove();
      }
      if (!departing.isEmpty()) {
        flights++;
        lastDeparture = nanoTime.getAsLong();
      }
    }
  }
}
