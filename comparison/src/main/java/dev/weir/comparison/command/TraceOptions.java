package dev.weir.comparison.command;

import dev.weir.comparison.Trace;
import dev.weir.comparison.TraceFormat;
import dev.weir.comparison.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of the commands that read a trace. */
final class TraceOptions {

  private static final String STANDARD_INPUT = "-";
  private static final String FIELD = "field:";

  @Parameters(
      paramLabel = "TRACE",
      description =
          "An access log, CSV, tab-separated values, JSON lines or an HTTP archive, plain or gzip; -"
              + " is standard input.")
  private String trace = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "auto",
      description =
          "auto, clf, combined, csv, tsv, jsonl or har (default: auto, from the first lines).")
  private TraceFormat format = TraceFormat.AUTO;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      defaultValue = "ip",
      description =
          "Whom a request counts for: ip, the address that asks; field:NAME; const, all the same"
              + " (default: ip). Fields of an access log: host, user, request, method, path, status,"
              + " bytes, agent; of JSON also a.b; of CSV without a header 1, 2, ...")
  private String key = "ip";

  @Option(names = "--key-field", paramLabel = "NAME", description = "The same as --key field:NAME.")
  private @Nullable String keyField;

  @Option(
      names = "--time-field",
      paramLabel = "NAME",
      description = "The field of the time (default: time, timestamp and the like).")
  private @Nullable String timeField;

  @Option(
      names = "--cost",
      paramLabel = "field:NAME",
      description = "The field of the permits that a request asks for (default: 1 permit).")
  private @Nullable String cost;

  @Option(
      names = "--year",
      paramLabel = "YEAR",
      description = "The year of the first time, for logs that leave the year out.")
  private @Nullable Integer year;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Leave out what came before, such as 1995-08-01T12:00:00Z.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Leave out what came then or later.")
  private @Nullable String to;

  @Option(names = "--max-events", paramLabel = "N", description = "Take the first N requests only.")
  private @Nullable Long maxEvents;

  Trace read() throws IOException {
    TraceReader reader = reader();
    try (InputStream in = open()) {
      return reader.read(name(), in);
    }
  }

  List<TraceReader.Request> requestsOf(String keyValue) throws IOException {
    TraceReader reader = reader();
    try (InputStream in = open()) {
      return reader.requestsOf(name(), in, keyValue);
    }
  }

  String name() {
    if (trace.equals(STANDARD_INPUT)) {
      return "standard input";
    }
    Path file = Path.of(trace).getFileName();
    return file == null ? trace : file.toString();
  }

  /** The file, unless it is standard input. */
  Optional<Path> file() {
    return trace.equals(STANDARD_INPUT) ? Optional.empty() : Optional.of(Path.of(trace));
  }

  private InputStream open() throws IOException {
    if (trace.equals(STANDARD_INPUT)) {
      return System.in;
    }
    Path file = Path.of(trace);
    if (Files.isDirectory(file)) {
      throw new IOException(trace + " is a directory, must be a file");
    }
    return Files.newInputStream(file);
  }

  private TraceReader reader() {
    TraceReader reader = TraceReader.of(format);
    String field = keyField;
    if (key.equals("const")) {
      reader = reader.withOneKey();
    } else if (key.startsWith(FIELD)) {
      field = key.substring(FIELD.length());
    } else if (!key.equals("ip")) {
      throw new IllegalArgumentException("--key is '" + key + "', must be ip, const or field:NAME");
    }
    if (field != null) {
      reader = reader.withKeyField(field);
    }
    if (timeField != null) {
      reader = reader.withTimeField(timeField);
    }
    if (cost != null) {
      if (!cost.startsWith(FIELD)) {
        throw new IllegalArgumentException("--cost is '" + cost + "', must be field:NAME");
      }
      reader = reader.withCostField(cost.substring(FIELD.length()));
    }
    if (year != null) {
      reader = reader.withYear(year);
    }
    if (maxEvents != null) {
      reader = reader.withMaxEvents(maxEvents);
    }
    return reader.between(time("--from", from), time("--to", to));
  }

  private static Optional<Instant> time(String option, @Nullable String text) {
    return text == null
        ? Optional.empty()
        : Optional.of(
            TraceReader.time(text)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            option
                                + " is '"
                                + text
                                + "', must be a time like 1995-08-01T12:00:00Z")));
  }
}
