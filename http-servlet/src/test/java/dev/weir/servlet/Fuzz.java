package dev.weir.servlet;

import java.util.Random;

/** How much a fuzz test makes, and from which seed: always the same inputs, so that they replay. */
final class Fuzz {

  /** A few seconds; {@code mvn -Dweir.fuzz.inputs=10000000} takes half an hour. */
  static final int INPUTS = Integer.getInteger("weir.fuzz.inputs", 50_000);

  private Fuzz() {}

  static Random random() {
    return new Random(20_261_201);
  }
}
