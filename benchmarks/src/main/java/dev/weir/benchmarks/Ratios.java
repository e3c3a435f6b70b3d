package dev.weir.benchmarks;

/**
 * All ratios that a target is set for, measured in a few minutes: enough to see what a change did.
 */
public final class Ratios {

  private Ratios() {}

  /**
   * Measures everything and prints one Markdown table.
   *
   * @param args none
   * @throws Exception if something cannot be measured
   */
  public static void main(String[] args) throws Exception {
    System.out.println(Ratio.HEAD);
    RedisRatios.quick().forEach(ratio -> System.out.println(ratio.row()));
    SlidingLogRatios.measure().forEach(ratio -> System.out.println(ratio.row()));
    InMemoryRatios.quick().forEach(ratio -> System.out.println(ratio.row()));
  }
}
