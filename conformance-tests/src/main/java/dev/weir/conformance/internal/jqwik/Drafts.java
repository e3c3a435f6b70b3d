package dev.weir.conformance.internal.jqwik;

import dev.weir.conformance.internal.Draft;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/** Generates drafts. */
public final class Drafts implements ArbitrarySupplier<Draft> {

  private static final int MOST_GENES = 12;

  @Override
  public Arbitrary<Draft> get() {
    Arbitrary<Integer> number =
        Arbitraries.integers().between(0, 999).withDistribution(RandomDistribution.uniform());
    return Combinators.combine(
            number,
            number,
            Combinators.combine(number, number, number, number)
                .as(Draft.Gene::new)
                .list()
                .ofMinSize(2)
                .ofMaxSize(MOST_GENES)
                .withSizeDistribution(RandomDistribution.uniform()))
        .as(Draft::new);
  }
}
