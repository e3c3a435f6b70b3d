package dev.weir.comparison;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.Quota;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a trace tells about the limits that would suit it: how many permits its keys ask for at most
 * within windows of several lengths, and what candidate limits would deny.
 *
 * @param trace the facts of the trace
 * @param resolution the largest unit of which all times are whole multiples
 * @param busiest the keys with the most requests, most first, at most five
 * @param peaks the peaks of the keys at 1 s, 10 s, 1 m and 1 h
 * @param candidates limits to consider, with what they would deny
 */
public record Inspection(
    TraceFacts trace,
    Duration resolution,
    List<BusyKey> busiest,
    List<Peaks> peaks,
    List<Candidate> candidates) {

  private static final List<Duration> WINDOWS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofHours(1));
  private static final List<ChronoUnit> RESOLUTIONS =
      List.of(
          ChronoUnit.DAYS,
          ChronoUnit.HOURS,
          ChronoUnit.MINUTES,
          ChronoUnit.SECONDS,
          ChronoUnit.MILLIS);
  private static final int BUSIEST = 5;

  /**
   * Takes the parts.
   *
   * @param trace the component of that name
   * @param resolution the component of that name
   * @param busiest the component of that name
   * @param peaks the component of that name
   * @param candidates the component of that name
   * @throws NullPointerException if a component is null
   */
  public Inspection {
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(resolution, "resolution");
    busiest = List.copyOf(busiest);
    peaks = List.copyOf(peaks);
    candidates = List.copyOf(candidates);
  }

  /**
   * A key with many requests.
   *
   * @param key the key
   * @param requests how many it has
   */
  public record BusyKey(String key, long requests) {

    /**
     * Takes the key.
     *
     * @param key the component of that name
     * @param requests the component of that name
     * @throws NullPointerException if {@code key} is null
     */
    public BusyKey {
      Objects.requireNonNull(key, "key");
    }
  }

  /**
   * The peaks of the keys at one window: a key's peak is the most permits it asks for in any
   * window.
   *
   * @param window the length of the window
   * @param median the peak that half of the keys do not pass
   * @param percent99 the peak that 99 of 100 keys do not pass
   * @param permille999 the peak that 999 of 1,000 keys do not pass
   * @param greatest the peak of the key with the greatest one
   * @param key that key
   */
  public record Peaks(
      Duration window, long median, long percent99, long permille999, long greatest, String key) {

    /**
     * Takes the peaks.
     *
     * @param window the component of that name
     * @param median the component of that name
     * @param percent99 the component of that name
     * @param permille999 the component of that name
     * @param greatest the component of that name
     * @param key the component of that name
     * @throws NullPointerException if {@code window} or {@code key} is null
     */
    public Peaks {
      Objects.requireNonNull(window, "window");
      Objects.requireNonNull(key, "key");
    }
  }

  /**
   * A limit to consider.
   *
   * @param quota the limit
   * @param denials what each algorithm would deny
   */
  public record Candidate(Quota quota, List<Denials> denials) {

    /**
     * Takes the candidate.
     *
     * @param quota the component of that name
     * @param denials the component of that name
     * @throws NullPointerException if a component is null
     */
    public Candidate {
      Objects.requireNonNull(quota, "quota");
      denials = List.copyOf(denials);
    }
  }

  /**
   * What an algorithm would deny.
   *
   * @param algorithm its name
   * @param requests how many requests it would deny
   * @param keys how many keys would have a request denied
   */
  public record Denials(String algorithm, long requests, long keys) {

    /**
     * Takes the figures.
     *
     * @param algorithm the component of that name
     * @param requests the component of that name
     * @param keys the component of that name
     * @throws NullPointerException if {@code algorithm} is null
     */
    public Denials {
      Objects.requireNonNull(algorithm, "algorithm");
    }
  }

  /**
   * Looks at a trace: reads it once for the peaks, and replays it once per candidate and algorithm,
   * in memory.
   *
   * @param trace the trace; the caller closes it
   * @param algorithms names of algorithms; empty means all
   * @return what was found
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if an algorithm is not on the class path
   */
  public static Inspection of(Trace trace, Collection<String> algorithms) {
    return of(trace, algorithms, (what, done, total) -> {});
  }

  /**
   * Inspects a trace, and tells a listener how far it has come.
   *
   * @param trace the trace; the caller closes it
   * @param algorithms names of algorithms; empty means all
   * @param listener is told before each candidate
   * @return what was found
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if an algorithm is not on the class path
   */
  public static Inspection of(
      Trace trace, Collection<String> algorithms, ProgressListener listener) {
    int keys = trace.facts().keys();
    long[] requests = new long[keys];
    WindowMeter[] meters =
        WINDOWS.stream()
            .map(window -> new WindowMeter(Long.MAX_VALUE, Micros.of(window)))
            .toArray(WindowMeter[]::new);
    int resolution = 0;
    Trace.Cursor cursor = trace.cursor();
    while (cursor.next()) {
      requests[cursor.key()]++;
      for (WindowMeter meter : meters) {
        meter.decided(cursor.key(), cursor.timeMicros(), cursor.permits(), true);
      }
      while (resolution < RESOLUTIONS.size()
          && cursor.timeMicros() % Micros.of(RESOLUTIONS.get(resolution).getDuration()) != 0) {
        resolution++;
      }
    }
    List<Peaks> peaks = new ArrayList<>();
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < meters.length; i++) {
      Peaks ofWindow = peaks(WINDOWS.get(i), meters[i], keys, trace);
      peaks.add(ofWindow);
      TreeSet<Long> limits = new TreeSet<>();
      limits.add(roundUp(ofWindow.percent99()));
      limits.add(roundUp(ofWindow.permille999()));
      for (long limit : limits) {
        listener.progress("candidate limits", i, meters.length);
        candidates.add(candidate(trace, Quota.of(limit, WINDOWS.get(i)), algorithms));
      }
    }
    return new Inspection(
        trace.facts(),
        resolution == RESOLUTIONS.size()
            ? ChronoUnit.MICROS.getDuration()
            : RESOLUTIONS.get(resolution).getDuration(),
        busiest(requests, trace),
        peaks,
        candidates);
  }

  private static Peaks peaks(Duration window, WindowMeter meter, int keys, Trace trace) {
    long[] sorted = new long[keys];
    Arrays.setAll(sorted, meter::peak);
    Arrays.sort(sorted);
    return new Peaks(
        window,
        percentile(sorted, 500),
        percentile(sorted, 990),
        percentile(sorted, 999),
        sorted[keys - 1],
        trace.keyName(meter.worstKey()));
  }

  /** The least value that so many thousandths of the values do not pass. */
  private static long percentile(long[] sorted, long thousandths) {
    return sorted[(int) ((sorted.length * thousandths + 999) / 1_000) - 1];
  }

  private static List<BusyKey> busiest(long[] requests, Trace trace) {
    return IntStream.range(0, requests.length)
        .boxed()
        .sorted(Comparator.comparingLong(key -> -requests[key]))
        .limit(BUSIEST)
        .map(key -> new BusyKey(trace.keyName(key), requests[key]))
        .toList();
  }

  private static Candidate candidate(Trace trace, Quota quota, Collection<String> algorithms) {
    return new Candidate(
        quota,
        Comparison.of(trace).with(quota).algorithms(algorithms).run().results().stream()
            .map(result -> new Denials(result.algorithm(), result.denied(), result.deniedKeys()))
            .toList());
  }

  /**
   * Writes the inspection as JSON, schema {@code weir-inspect/1}.
   *
   * @param command the command line that made it, to be quoted in the document
   * @return the document, with a line feed at its end
   * @throws NullPointerException if {@code command} is null
   */
  public String toJson(String command) {
    ObjectNode document = ComparisonJson.document();
    document
        .put("schema", "weir-inspect/1")
        .put("command", Objects.requireNonNull(command, "command"));
    ObjectNode facts = document.putObject("trace");
    ComparisonJson.trace(facts, trace);
    ComparisonJson.putMillis(facts, "resolution_ms", Micros.of(resolution));
    ArrayNode keys = document.putArray("busiest");
    busiest.forEach(
        busy -> keys.addObject().put("key", busy.key()).put("requests", busy.requests()));
    ArrayNode windows = document.putArray("peaks");
    for (Peaks each : peaks) {
      ObjectNode node = windows.addObject();
      ComparisonJson.putMillis(node, "window_ms", Micros.of(each.window()));
      node.put("p50", each.median())
          .put("p99", each.percent99())
          .put("p999", each.permille999())
          .put("max", each.greatest())
          .put("key", each.key());
    }
    ArrayNode limits = document.putArray("candidates");
    for (Candidate candidate : candidates) {
      ObjectNode node = limits.addObject().put("limit", candidate.quota().limit());
      ComparisonJson.putMillis(node, "window_ms", Micros.of(candidate.quota().window()));
      ArrayNode results = node.putArray("results");
      for (Denials denials : candidate.denials()) {
        results
            .addObject()
            .put("algorithm", denials.algorithm())
            .put("denied_requests", denials.requests())
            .put("denied_keys", denials.keys());
      }
    }
    return ComparisonJson.text(document);
  }

  /** The least of 1, 2, 3, 5, 10, 20, 30, 50, 100 and so on that is not below. */
  static long roundUp(long value) {
    for (long power = 1; ; power *= 10) {
      for (long factor : new long[] {1, 2, 3, 5}) {
        if (factor * power >= value) {
          return factor * power;
        }
      }
    }
  }
}
