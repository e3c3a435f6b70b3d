package dev.weir.integration;

import java.util.Locale;

/** Prints figures for the documentation. Nothing is asserted on a time: the machine may be busy. */
final class Measured {

  private Measured() {}

  static void say(String format, Object... figures) {
    System.out.println("measured: " + String.format(Locale.ROOT, format, figures));
  }
}
