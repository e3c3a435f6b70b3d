package dev.weir.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.Rule;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever the seed, the suite finds every mutant. Run by {@code mvn -Pforty-seeds -pl
 * conformance-tests -am verify}; prints how often each rule found each mutant.
 */
@Tag("forty-seeds")
class FortySeedsTest {

  private static final int SEEDS = 40;

  @TestFactory
  Stream<DynamicTest> everyMutantIsFoundWithEverySeed() {
    return KillMatrix.rows().stream()
        .map(row -> DynamicTest.dynamicTest(row.name(), () -> isFoundWithEverySeed(row)));
  }

  private static void isFoundWithEverySeed(KillMatrix.Row row) {
    Map<Rule, Integer> found = new TreeMap<>();
    row.reasons().keySet().forEach(rule -> found.put(rule, 0));
    int runs = 0;
    Random seeds = new Random();
    for (int i = 0; i < SEEDS; i++) {
      long seed = seeds.nextLong();
      Set<Rule> broken = KillRun.of(row.mutant(), seed, row.reasons().keySet()).keySet();
      assertThat(broken).as("with seed %d", seed).isNotEmpty();
      broken.forEach(rule -> found.merge(rule, 1, Integer::sum));
      runs++;
    }
    StringBuilder rates = new StringBuilder();
    found.forEach((rule, times) -> rates.append(' ').append(rule.id()).append(' ').append(times));
    System.out.printf("%-30s found %d of %d times; by rule:%s%n", row.name(), runs, SEEDS, rates);
  }
}
