package dev.weir.memory;

/** Exact division of a product that may not fit into a long. */
final class MultiplyDivide {

  private MultiplyDivide() {}

  /**
   * Returns {@code a * b / divisor}, rounded down. The remainder is {@code a * b - quotient *
   * divisor} in ordinary, wrapping arithmetic, for it fits where the products do not.
   *
   * @param a from 0, below 2<sup>46</sup>
   * @param b at least 0
   * @param divisor from 1, below 2<sup>46</sup>; the quotient must fit into a long
   */
  static long floor(long a, long b, long divisor) {
    long product = a * b;
    if (Math.multiplyHigh(a, b) == 0 && product >= 0) {
      return product / divisor;
    }
    // Long division, digit by digit of b from the top: neither summand reaches 2^62.
    long quotient = 0;
    long remainder = 0;
    for (int shift = 48; shift >= 0; shift -= 16) {
      long dividend = (remainder << 16) + a * ((b >>> shift) & 0xFFFF);
      quotient = (quotient << 16) + dividend / divisor;
      remainder = dividend % divisor;
    }
    return quotient;
  }
}
