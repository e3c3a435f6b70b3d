package dev.weir.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests that wait for one server at the same moment: while {@link #MAX_FLIGHTS}
 * flights to it are under way, later requests stand in line, and when one is back they leave
 * together. Those for the same key are one call, and the calls of a flight are one pipeline.
 *
 * <p>A request that finds the last departure old does not wait for a flight: it sends what stands
 * in line, itself included, so that lost replies do not fail everybody. There is no timer that
 * collects more, and a lone request leaves at once.
 */
final class Coalescer {

  /** The most requests of one flight, so that none keeps the server busy for long. */
  static final int MAX_BATCH = 128;

  /** The most flights to a server while none is old: one is decided while one is on the way. */
  static final int MAX_FLIGHTS = 2;

  private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ScriptCall script;
  private final LongSupplier nanoTime;

  /** Those servers that a flight is under way to. */
  final ConcurrentHashMap<Object, Line> lines = new ConcurrentHashMap<>();

  /**
   * Creates a coalescer of one limiter.
   *
   * @param nanoTime tells how old a departure is, such as {@link System#nanoTime()}
   */
  Coalescer(ScriptCall script, LongSupplier nanoTime) {
    this.script = script;
    this.nanoTime = nanoTime;
  }

  /** Sends a request, alone or with others. */
  void submit(Request request) {
    Object server = script.server(request.name);
    List<Request> departing = new ArrayList<>();
    lines.compute(
        server, (key, line) -> (line == null ? new Line() : line).arrive(request, departing));
    fly(server, departing);
  }

  private void fly(Object server, List<Request> departing) {
    List<Request> flight = departing;
    while (!flight.isEmpty()) {
      List<Call> calls = calls(flight);
      List<CompletableFuture<List<Long>>> replies = script.send(ScriptCall.ACQUIRE, calls);
      // One more than there are calls: where all fail at once it is this loop that goes on, for a
      // recursion would be as deep as the line is long.
      AtomicInteger flying = new AtomicInteger(calls.size() + 1);
      for (int i = 0; i < calls.size(); i++) {
        Call call = calls.get(i);
        Future<?> unused =
            replies
                .get(i)
                .whenComplete(
                    (reply, failure) -> {
                      // The next flight goes first: who gets a decision may do anything then.
                      if (flying.decrementAndGet() == 0) {
                        fly(server, land(server));
                      }
                      script.settle(call, reply, failure);
                    });
      }
      flight = flying.decrementAndGet() == 0 ? land(server) : List.of();
    }
  }

  private List<Request> land(Object server) {
    List<Request> departing = new ArrayList<>();
    lines.computeIfPresent(server, (key, line) -> line.land(departing));
    return departing;
  }

  private static List<Call> calls(List<Request> flight) {
    // One call has one time: only an injected clock tells callers different ones.
    Map<List<String>, Call> calls = new LinkedHashMap<>();
    for (Request request : flight) {
      calls
          .computeIfAbsent(
              List.of(request.name, request.now), same -> new Call(request.name, new ArrayList<>()))
          .requests()
          .add(request);
    }
    return List.copyOf(calls.values());
  }

  /** The requests that wait for one server. Guarded by the map's entry. */
  final class Line {

    private final ArrayDeque<Request> waiting = new ArrayDeque<>(1);
    private int flights;
    private long lastDeparture;

    @Nullable Line arrive(Request request, List<Request> departing) {
      waiting.add(request);
      if (flights < MAX_FLIGHTS || nanoTime.getAsLong() - lastDeparture > OLD_NANOS) {
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
      while (departing.size() < MAX_BATCH && !waiting.isEmpty()) {
        Request next = waiting.remove();
        if (!next.isDone()) {
          departing.add(next);
        }
      }
      if (!departing.isEmpty()) {
        flights++;
        lastDeparture = nanoTime.getAsLong();
      }
    }
  }
}
