package dev.weir.comparison.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A file that an option names for a result. It is looked at before the work, and written after it.
 */
record OutputFile(String option, Path path) {

  /** Refuses a file that cannot be written, before anything is done that would then be lost. */
  void check(CommandLine command) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw refused(command, "which is a directory, must be a file");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw refused(command, "but there is no directory " + folder + ": make it first");
    }
    if (!Files.isWritable(Files.exists(path) ? path : folder)) {
      throw refused(command, "which cannot be written");
    }
  }

  /** Refuses to take the place of a file that is read, or that another option names. */
  void checkIsNot(String other, Path file, CommandLine command) {
    if (path.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize())) {
      throw refused(command, "which is " + other + ", too: name another file");
    }
  }

  void write(String text) throws IOException {
    try {
      Files.writeString(path, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException(option + " " + path + " cannot be written (" + e.getMessage() + ")", e);
    }
  }

  private ParameterException refused(CommandLine command, String why) {
    return new ParameterException(command, option + " is " + path + ", " + why);
  }
}
