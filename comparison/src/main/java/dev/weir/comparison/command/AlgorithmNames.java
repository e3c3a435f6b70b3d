package dev.weir.comparison.command;

import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import java.util.Iterator;

/** The names of the algorithms on the class path, whoever made them. */
final class AlgorithmNames implements Iterable<String> {

  static final String DESCRIPTION =
      "Names with commas in between, or all (default: all). There are: ${COMPLETION-CANDIDATES}.";

  AlgorithmNames() {}

  @Override
  public Iterator<String> iterator() {
    return RateLimiters.providers().stream()
        .map(RateLimiterProvider::algorithm)
        .distinct()
        .sorted()
        .iterator();
  }
}
