package dev.weir.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, so that what was measured before does not bear on what is measured next. */
final class ChildJvm {

  private ChildJvm() {}

  /**
   * Runs a main class of this class path to its end.
   *
   * @param heap such as {@code 1g}
   * @return the lines that it printed
   * @throws IOException if it cannot be started, or ends with another status than 0
   */
  static List<String> run(String heap, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(args));
    Process child =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      lines = reader.lines().toList();
    }
    if (child.waitFor() != 0) {
      throw new IOException(main.getSimpleName() + " ended with " + child.exitValue());
    }
    return lines;
  }
}
