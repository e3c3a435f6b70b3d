package dev.weir.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The suite finds every deliberately wrong limiter, and raises no alarm at their right siblings.
 */
class MutantsTest {

  private static final long SEED = 1;

  @TestFactory
  Stream<DynamicTest> everyMutantIsFound() {
    return Stream.of(
            FixedWindowMutants.class,
            SlidingWindowMutants.class,
            SlidingWindowCounterMutants.class,
            TokenBucketMutants.class)
        .flatMap(group -> Arrays.stream(group.getDeclaredClasses()))
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.getSimpleName(),
                    () -> assertThat(Suites.run(mutant, SEED)).isNotEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> whatTheMutantsWereMadeFromIsRight() {
    return Stream.of(
            MutantFixedWindow.Correct.class,
            MutantSlidingWindow.Correct.class,
            MutantSlidingWindowCounter.Correct.class,
            MutantTokenBucket.Correct.class)
        .map(
            correct ->
                DynamicTest.dynamicTest(
                    correct.getEnclosingClass().getSimpleName(),
                    () -> assertThat(Suites.run(correct, SEED)).isEmpty()));
  }
}
