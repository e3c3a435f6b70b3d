package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import dev.weir.internal.Micros;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The timeline of one key: each of its requests with what every algorithm decides on it.
 *
 * @param algorithms the names of the algorithms, in the order of the decisions
 * @param rows the requests in the order of time
 */
public record Timeline(List<String> algorithms, List<Row> rows) {

  private static final String STORE = "memory";

  /**
   * Takes the timeline.
   *
   * @param algorithms the component of that name
   * @param rows the component of that name
   * @throws NullPointerException if a component is null
   */
  public Timeline {
    algorithms = List.copyOf(algorithms);
    rows = List.copyOf(rows);
  }

  /**
   * A request and the decisions on it.
   *
   * @param request the request
   * @param decisions one per algorithm
   */
  public record Row(TraceReader.Request request, List<Decision> decisions) {

    /**
     * Takes the row.
     *
     * @param request the component of that name
     * @param decisions the component of that name
     * @throws NullPointerException if a component is null
     */
    public Row {
      Objects.requireNonNull(request, "request");
      decisions = List.copyOf(decisions);
    }

    /**
     * Returns whether any algorithm denied the request.
     *
     * @return whether one of the decisions is a denial
     */
    public boolean isDenied() {
      return decisions.stream().anyMatch(decision -> !decision.allowed());
    }
  }

  /**
   * Decides the requests of a key by every algorithm, in memory and in virtual time.
   *
   * @param requests the requests in the order of time
   * @param quota what every algorithm is to admit
   * @param algorithms names of algorithms; empty means all
   * @return the timeline
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if an algorithm is not on the class path, or cannot keep the
   *     quota
   */
  public static Timeline of(
      List<TraceReader.Request> requests, Quota quota, Collection<String> algorithms) {
    List<String> names =
        RateLimiters.providers().stream()
            .filter(provider -> provider.store().equals(STORE))
            .map(RateLimiterProvider::algorithm)
            .filter(name -> algorithms.isEmpty() || algorithms.contains(name))
            .toList();
    Comparison.requireAll("algorithm", algorithms, names);
    VirtualClock clock = new VirtualClock();
    ProviderContext context = ProviderContext.of("timeline").withClock(clock);
    List<RateLimiter> limiters =
        names.stream().map(name -> RateLimiters.create(STORE, name, quota, context)).toList();
    List<Row> rows = new ArrayList<>();
    for (TraceReader.Request request : requests) {
      clock.set(Micros.of(request.time()));
      rows.add(
          new Row(
              request,
              limiters.stream()
                  .map(limiter -> limiter.tryAcquire("key", request.permits()))
                  .toList()));
    }
    return new Timeline(names, rows);
  }
}
