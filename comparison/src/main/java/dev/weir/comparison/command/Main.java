package dev.weir.comparison.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The entry point of the {@code weir} command.
 *
 * <p>It exits with 0 when all is well, with 1 when an assertion failed or the stores disagreed, and
 * with 2 when the usage was wrong, an input could not be read or an output could not be written.
 */
public final class Main {

  private Main() {}

  /**
   * Runs the command and exits.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    StandardOutput standardOutput = new StandardOutput();
    PrintWriter out = new PrintWriter(standardOutput, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int exit = WeirCommand.run(args, out, err);
    out.flush();
    if (standardOutput.failure().isPresent()) {
      err.println(
          "weir: standard output cannot be written (" + standardOutput.failure().get() + ")");
      exit = Math.max(exit, WeirCommand.UNUSABLE);
    }
    System.exit(exit);
  }
}
