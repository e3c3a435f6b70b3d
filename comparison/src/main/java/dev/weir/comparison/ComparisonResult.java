package dev.weir.comparison;

import dev.weir.Quota;
import java.util.List;
import java.util.Objects;

/**
 * What a comparison found.
 *
 * @param trace the facts of the trace
 * @param quota what every algorithm was to admit
 * @param results one per algorithm and store, in the order of display
 */
public record ComparisonResult(TraceFacts trace, Quota quota, List<Result> results) {

  /**
   * Takes the results.
   *
   * @param trace the component of that name
   * @param quota the component of that name
   * @param results the component of that name
   * @throws NullPointerException if a component is null
   */
  public ComparisonResult {
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(quota, "quota");
    results = List.copyOf(results);
  }

  /**
   * Returns how many times the limit the worst window of a result holds.
   *
   * @param result one of {@link #results()}
   * @return the ratio of the worst window's count to the limit; 0 if nothing was admitted
   * @throws NullPointerException if {@code result} is null
   */
  public double overshoot(Result result) {
    Result.WorstWindow worst = result.worstWindow();
    return worst == null ? 0 : (double) worst.count() / quota.limit();
  }

  /**
   * Writes the result as JSON, schema {@code weir-comparison/1}.
   *
   * @param command the command line that made it, to be quoted in the document
   * @return the document, with a line feed at its end; the same for the same trace and quota, apart
   *     from the bytes per key, which the store's allocator decides
   * @throws NullPointerException if {@code command} is null
   */
  public String toJson(String command) {
    return ComparisonJson.write(this, Objects.requireNonNull(command, "command"));
  }
}
