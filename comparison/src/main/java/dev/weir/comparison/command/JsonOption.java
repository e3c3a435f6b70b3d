package dev.weir.comparison.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code --json}, and where the tables go when standard output is taken. */
final class JsonOption {

  private static final String STANDARD_OUTPUT = "-";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write the figures as JSON; - is standard output, the tables then go to standard error.")
  private @Nullable String json;

  JsonOption() {}

  /** Where the tables are printed. */
  PrintWriter tables(CommandLine command) {
    return STANDARD_OUTPUT.equals(json) ? command.getErr() : command.getOut();
  }

  /** The file, unless there is none. */
  Optional<OutputFile> file() {
    return json == null || json.equals(STANDARD_OUTPUT)
        ? Optional.empty()
        : Optional.of(new OutputFile("--json", Path.of(json)));
  }

  /** Writes the document, which is made of the command line, if it was asked for. */
  void write(CommandLine command, Function<String, String> document) throws IOException {
    if (json == null) {
      return;
    }
    String text = document.apply(WeirCommand.commandLine(command.getCommandSpec()));
    Optional<OutputFile> file = file();
    if (file.isPresent()) {
      file.get().write(text);
    } else {
      command.getOut().print(text);
      command.getOut().flush();
    }
  }
}
