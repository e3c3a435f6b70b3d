package dev.weir.conformance.mutants;

import dev.weir.conformance.Rule;
import java.util.List;

/** The mutants that break a rule. */
public final class MutantsOfRules {

  private MutantsOfRules() {}

  /** Their names, in the order of the matrix. */
  public static List<String> of(Rule rule) {
    return KillMatrix.rows().stream()
        .filter(row -> row.reasons().containsKey(rule))
        .map(KillMatrix.Row::name)
        .toList();
  }
}
