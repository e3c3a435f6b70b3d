package dev.weir.comparison;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The facts of a trace: how much it holds, over what time, and how well it could be read.
 *
 * @param name what the trace is called: a file's name, a scenario
 * @param events how many events it has, at least 1
 * @param keys how many different keys
 * @param first the time of the earliest event
 * @param last the time of the latest event
 * @param skipped how many lines or records could not be read
 * @param skippedExamples the first three of them, each with its line number and the reason
 * @param outOfOrder how many events were earlier than the one before them; the trace is sorted by
 *     time, stably
 * @param largestStepBack by how much at most one was earlier than the one before
 * @param sha256 the SHA-256 of the decompressed input; of a trace that was made, that of its
 *     events, one per line as {@code microseconds,key,permits}
 * @param generator what made random events, by name and seed, or empty
 */
public record TraceFacts(
    String name,
    long events,
    int keys,
    Instant first,
    Instant last,
    long skipped,
    List<String> skippedExamples,
    long outOfOrder,
    Duration largestStepBack,
    String sha256,
    String generator) {

  /**
   * Takes the facts.
   *
   * @param name the component of that name
   * @param events the component of that name
   * @param keys the component of that name
   * @param first the component of that name
   * @param last the component of that name
   * @param skipped the component of that name
   * @param skippedExamples the component of that name
   * @param outOfOrder the component of that name
   * @param largestStepBack the component of that name
   * @param sha256 the component of that name
   * @param generator the component of that name
   * @throws NullPointerException if a component is null
   */
  public TraceFacts {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(last, "last");
    skippedExamples = List.copyOf(skippedExamples);
    Objects.requireNonNull(largestStepBack, "largestStepBack");
    Objects.requireNonNull(sha256, "sha256");
    Objects.requireNonNull(generator, "generator");
  }
}
