package dev.weir.comparison.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The entry point of the {@code weir} command.
 *
 * <p>It exits with 0 when all is well, with 1 when an assertion failed or the stores disagreed, and
 * with 2 when the usage was wrong or an input could not be read.
 */
public final class Main {

  private Main() {}

  /**
   * Runs the command and exits.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int exit = WeirCommand.run(args, out, err);
    out.flush();
    System.exit(exit);
  }
}
