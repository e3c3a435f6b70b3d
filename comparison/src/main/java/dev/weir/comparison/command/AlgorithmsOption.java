package dev.weir.comparison.command;

import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --algorithms}. */
final class AlgorithmsOption {

  @Option(
      names = "--algorithms",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "all",
      completionCandidates = OnTheClassPath.class,
      description =
          "Names with commas in between, or all (default: all). There are:"
              + " ${COMPLETION-CANDIDATES}.")
  private List<String> algorithms = List.of();

  AlgorithmsOption() {}

  /** The names that were given; none for all. */
  List<String> names() {
    return algorithms.contains("all") ? List.of() : algorithms;
  }

  /** The names of the algorithms on the class path, whoever made them. */
  static final class OnTheClassPath implements Iterable<String> {

    OnTheClassPath() {}

    @Override
    public Iterator<String> iterator() {
      return RateLimiters.providers().stream()
          .map(RateLimiterProvider::algorithm)
          .distinct()
          .sorted()
          .iterator();
    }
  }
}
