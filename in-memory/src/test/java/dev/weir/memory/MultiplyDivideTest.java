package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/** Multiply-and-divide is exact for all numbers that the bounds of policies allow. */
class MultiplyDivideTest {

  private static final long LONGEST_PERIOD = Micros.of(Bounds.MAX_WINDOW);

  @Property
  void refillOverElapsedTimeIsExact(
      @ForAll("permits") long refill,
      @ForAll("elapsed") long elapsed,
      @ForAll("periods") long period) {
    exact(refill, elapsed, period);
  }

  @Property
  void waitForMissingTokensIsExact(
      @ForAll("permits") long missing,
      @ForAll("periods") long period,
      @ForAll("permits") long refill) {
    exact(missing, period, refill);
  }

  @Property
  void conversionToAnotherPeriodIsExact(
      @ForAll("periods") long fraction,
      @ForAll("periods") long period,
      @ForAll("periods") long scale) {
    exact(fraction, period, scale);
  }

  @Property
  void theWholeStatedRangeIsExact(
      @ForAll("below2to46") long a, @ForAll("longs") long b, @ForAll("below2to46") long divisor) {
    exact(a, b, Math.max(1, divisor));
  }

  private static void exact(long a, long b, long divisor) {
    BigInteger[] expected =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .divideAndRemainder(BigInteger.valueOf(divisor));
    Assume.that(expected[0].bitLength() < Long.SIZE);
    long quotient = MultiplyDivide.floor(a, b, divisor);
    assertThat(quotient).isEqualTo(expected[0].longValueExact());
    assertThat(a * b - quotient * divisor).isEqualTo(expected[1].longValueExact());
  }

  @Provide
  Arbitrary<Long> permits() {
    return upTo(Bounds.MAX_PERMITS).filter(n -> n > 0);
  }

  @Provide
  Arbitrary<Long> periods() {
    return Arbitraries.longs().between(1_000, LONGEST_PERIOD).withDistribution(uniform());
  }

  @Provide
  Arbitrary<Long> elapsed() {
    return upTo(Micros.of(Bounds.MAX_FILL_TIME));
  }

  @Provide
  Arbitrary<Long> below2to46() {
    return upTo((1L << 46) - 1);
  }

  @Provide
  Arbitrary<Long> longs() {
    return upTo(Long.MAX_VALUE);
  }

  /** Small, large and everything between, each digit's border among them. */
  private static Arbitrary<Long> upTo(long most) {
    Arbitrary<Long> nearPowers =
        Arbitraries.integers()
            .between(0, 62)
            .flatMap(bits -> Arbitraries.longs().between(-2, 2).map(d -> (1L << bits) + d))
            .filter(n -> n >= 0 && n <= most);
    return Arbitraries.oneOf(
        nearPowers,
        Arbitraries.longs().between(0, most),
        Arbitraries.longs().between(0, most).withDistribution(uniform()));
  }

  private static RandomDistribution uniform() {
    return RandomDistribution.uniform();
  }
}
