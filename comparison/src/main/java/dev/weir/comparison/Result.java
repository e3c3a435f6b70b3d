package dev.weir.comparison;

import java.time.Instant;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The result of one algorithm on one store.
 *
 * @param algorithm the name of the algorithm
 * @param store the name of the store
 * @param offered how many requests there were, each try of a client counted
 * @param admitted how many of them were admitted
 * @param denied how many were denied
 * @param deniedKeys how many keys had at least one request denied
 * @param worstWindow the window of the limit's length in which most was admitted for one key; null
 *     if nothing was admitted
 * @param overAdmissions how often a request was admitted although, with it, the key's rolling count
 *     exceeded the limit
 * @param falseDenials how often a request was denied although, with it, the key's rolling count
 *     would have been within the limit
 * @param retryAfter whether the waits that denials told were right
 * @param stateBytes what a key took in the store; null where it was not measured
 * @param commandsPerDecision how many commands of the store a decision took; null where it was not
 *     measured
 * @param persistence what became of clients that tried again; null if they did not
 */
public record Result(
    String algorithm,
    String store,
    long offered,
    long admitted,
    long denied,
    long deniedKeys,
    @Nullable WorstWindow worstWindow,
    long overAdmissions,
    long falseDenials,
    RetryAfter retryAfter,
    @Nullable StateBytes stateBytes,
    @Nullable Double commandsPerDecision,
    @Nullable Persistence persistence) {

  /**
   * Takes the figures.
   *
   * @param algorithm the component of that name
   * @param store the component of that name
   * @param offered the component of that name
   * @param admitted the component of that name
   * @param denied the component of that name
   * @param deniedKeys the component of that name
   * @param worstWindow the component of that name
   * @param overAdmissions the component of that name
   * @param falseDenials the component of that name
   * @param retryAfter the component of that name
   * @param stateBytes the component of that name
   * @param commandsPerDecision the component of that name
   * @param persistence the component of that name
   * @throws NullPointerException if a component is null that may not be
   */
  public Result {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /**
   * The window in which most was admitted for one key; of several, the first in time.
   *
   * @param count the permits admitted in it
   * @param key for whom
   * @param from where it starts; this instant itself is outside
   * @param to where it ends, the time of the last permit counted; this instant is inside
   */
  public record WorstWindow(long count, String key, Instant from, Instant to) {

    /**
     * Takes the window.
     *
     * @param count the component of that name
     * @param key the component of that name
     * @param from the component of that name
     * @param to the component of that name
     * @throws NullPointerException if a component is null
     */
    public WorstWindow {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }
  }

  /**
   * How right the waits were that denials told. Requests for more than the limit are left out: they
   * are told never to come back.
   *
   * @param told how many denials told a wait
   * @param honest after how many of these waits the same request would have been admitted
   * @param tight how many could not have been shorter by a microsecond
   * @param meanToldMillis the mean of the waits, in milliseconds rounded half up; 0 without any
   */
  public record RetryAfter(long told, long honest, long tight, long meanToldMillis) {

    /**
     * Takes the figures.
     *
     * @param told the component of that name
     * @param honest the component of that name
     * @param tight the component of that name
     * @param meanToldMillis the component of that name
     */
    public RetryAfter {}

    /**
     * Returns the share of honest waits.
     *
     * @return a percentage, rounded down to three decimals; empty if no wait was told
     */
    public OptionalDouble honestPercent() {
      return percent(honest);
    }

    /**
     * Returns the share of tight waits.
     *
     * @return a percentage, rounded down to three decimals; empty if no wait was told
     */
    public OptionalDouble tightPercent() {
      return percent(tight);
    }

    private OptionalDouble percent(long part) {
      return told == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(Math.floor(100_000.0 * part / told) / 1_000);
    }
  }

  /**
   * What a key took in the store at the end, in bytes.
   *
   * @param mean the mean, rounded half up
   * @param max the most
   */
  public record StateBytes(long mean, long max) {

    /**
     * Takes the figures.
     *
     * @param mean the component of that name
     * @param max the component of that name
     */
    public StateBytes {}
  }

  /**
   * What became of clients that try again when they are denied.
   *
   * @param clients when they try again
   * @param requests how many there were, each of which wants one admission
   * @param attempts how often they tried together
   * @param admitted how many were admitted in the end
   * @param gaveUp how many were not: they asked for more than the limit, or tried 10,000 times
   * @param meanWaitMillis how long those admitted took from their first try, on average, in
   *     milliseconds rounded half up
   * @param longestWaitMillis how long it took the last of them, in whole milliseconds
   */
  public record Persistence(
      Clients clients,
      long requests,
      long attempts,
      long admitted,
      long gaveUp,
      long meanWaitMillis,
      long longestWaitMillis) {

    /**
     * Takes the figures.
     *
     * @param clients the component of that name
     * @param requests the component of that name
     * @param attempts the component of that name
     * @param admitted the component of that name
     * @param gaveUp the component of that name
     * @param meanWaitMillis the component of that name
     * @param longestWaitMillis the component of that name
     * @throws NullPointerException if {@code clients} is null
     */
    public Persistence {
      Objects.requireNonNull(clients, "clients");
    }

    /**
     * Returns how many tries an admission took.
     *
     * @return attempts per admitted request, rounded to three decimals; empty if none was admitted
     */
    public OptionalDouble attemptsPerSuccess() {
      return admitted == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(Math.round(1_000.0 * attempts / admitted) / 1_000.0);
    }
  }
}
