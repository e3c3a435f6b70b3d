package dev.weir.comparison.command;

import dev.weir.Quota;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.comparison.StoresDisagreeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command and its subcommands, run with the exit codes that {@link Main} names. */
@Command(
    name = "weir",
    description = "Shows what rate limiting algorithms do to traffic, before you choose one.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = WeirCommand.Version.class,
    subcommands = {
      ScenarioCommand.class,
      ReplayCommand.class,
      InspectCommand.class,
      ExplainCommand.class,
      BenchCommand.class,
      ServeCommand.class,
      GenerateCompletion.class,
      CommandLine.HelpCommand.class
    },
    sortOptions = false,
    usageHelpWidth = 100,
    footer = {
      "",
      "Exit codes: 0 fine; 1 an assertion failed or the stores disagreed; 2 wrong usage or",
      "unreadable input, or an output that cannot be written; 70 a fault of the command itself."
    })
final class WeirCommand {

  static final int FAILED = 1;
  static final int UNUSABLE = 2;
  private static final int BROKEN = 70; // EX_SOFTWARE, a fault of the command's own

  private WeirCommand() {}

  static int run(String[] args, PrintWriter out, PrintWriter err) {
    return line().setOut(out).setErr(err).execute(args);
  }

  /** Returns the command with all that is under it. */
  static CommandLine line() {
    return new CommandLine(new WeirCommand())
        .registerConverter(Quota.class, WeirCommand::quota)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(WeirCommand::misused)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> failed(failure, command.getErr()));
  }

  private static Quota quota(String text) {
    try {
      return Quota.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  private static int misused(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String message = String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" "));
    command
        .getErr()
        .println(
            "weir: " + message + "; see '" + command.getCommandSpec().qualifiedName() + " --help'");
    return UNUSABLE;
  }

  private static int failed(Exception failure, PrintWriter err) {
    if (failure instanceof StoresDisagreeException) {
      err.println("weir: " + failure.getMessage());
      return FAILED;
    }
    String message = explained(failure);
    if (message != null) {
      err.println("weir: " + message);
      return UNUSABLE;
    }
    err.println("weir: this is a fault of weir itself, please report it:");
    failure.printStackTrace(err);
    return BROKEN;
  }

  /** What to tell the user of a failure that is not a fault of the command, or null. */
  private static @Nullable String explained(Exception failure) {
    if (failure instanceof NoSuchFileException e) {
      return e.getFile() + ": there is no such file";
    }
    if (failure instanceof AccessDeniedException e) {
      return e.getFile() + ": access denied";
    }
    if (failure instanceof RateLimiterUnavailableException) {
      return "Redis gave no answer: " + failure.getMessage();
    }
    return failure instanceof IOException
            || failure instanceof UncheckedIOException
            || failure instanceof IllegalArgumentException
        ? failure.getMessage()
        : null;
  }

  /** Returns the command line that is being run, as a shell would take it. */
  static String commandLine(@Nullable CommandSpec spec) {
    CommandSpec root = Objects.requireNonNull(spec, "picocli injects the command").root();
    return quoted(root.name(), root.commandLine().getParseResult().originalArgs());
  }

  /** Returns a command line as a shell would take it. */
  static String quoted(String name, Iterable<String> args) {
    StringBuilder text = new StringBuilder(name);
    for (String arg : args) {
      boolean plain = arg.matches("[A-Za-z0-9_@%+=:,./-]+");
      text.append(' ').append(plain ? arg : "'" + arg.replace("'", "'\\''") + "'");
    }
    return text.toString();
  }

  /** Tells the version of the jar. */
  static final class Version implements IVersionProvider {

    Version() {}

    @Override
    public String[] getVersion() {
      String version = WeirCommand.class.getPackage().getImplementationVersion();
      return new String[] {"weir " + (version == null ? "unpackaged" : version)};
    }
  }
}
