package dev.weir.comparison;

import dev.weir.internal.Micros;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A trace reader reads a trace from a log, plain or compressed by gzip.
 *
 * <p>The input is read once, as a stream, so it may be longer than memory. Lines that cannot be
 * read are skipped and counted; an input in which none can be is refused. Times are taken with
 * their zone, as UTC where there is none, and sorted, stably.
 *
 * <p>Immutable; the {@code with} methods return changed copies. Safe for use by any number of
 * threads.
 */
public final class TraceReader {

  private static final int EXAMPLES = 3;
  private static final int SNIFFED = 1 << 16;
  private static final int SNIFFED_LINES = 20;

  private final TraceFormat format;
  private final FieldRules rules;
  private final long fromMicros;
  private final long toMicros;
  private final long maxEvents;

  private TraceReader(
      TraceFormat format, FieldRules rules, long fromMicros, long toMicros, long maxEvents) {
    this.format = format;
    this.rules = rules;
    this.fromMicros = fromMicros;
    this.toMicros = toMicros;
    this.maxEvents = maxEvents;
  }

  /**
   * Returns the reader of a format.
   *
   * <p>The key is who asks: the host of an access log; of CSV and JSON the first field there is of
   * {@code ip}, {@code client_ip}, {@code clientip}, {@code remote_addr}, {@code remote_ip}, {@code
   * client}, {@code host}, {@code key} and {@code user}; of an HTTP archive the host that is asked.
   * The time of CSV and JSON is the first field there is of {@code time}, {@code timestamp}, {@code
   * @timestamp}, {@code ts}, {@code datetime}, {@code date}, {@code startedDateTime} and {@code
   * start}. Without a header, CSV has its columns' numbers for names.
   *
   * @param format the format of the inputs
   * @return a reader
   * @throws NullPointerException if {@code format} is null
   */
  public static TraceReader of(TraceFormat format) {
    return new TraceReader(
        Objects.requireNonNull(format, "format"),
        FieldRules.USUAL,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE);
  }

  /**
   * Returns this reader with another field for the key.
   *
   * @param field a field's name, {@code a.b} for one inside another; of an access log {@code host},
   *     {@code user}, {@code request}, {@code method}, {@code path}, {@code status}, {@code bytes}
   *     or {@code agent}
   * @return the changed copy
   * @throws NullPointerException if {@code field} is null
   */
  public TraceReader withKeyField(String field) {
    return with(
        new FieldRules(
            rules.timeField(),
            Objects.requireNonNull(field, "field"),
            false,
            rules.costField(),
            rules.year()));
  }

  /**
   * Returns this reader with one key for all events.
   *
   * @return the changed copy
   */
  public TraceReader withOneKey() {
    return with(new FieldRules(rules.timeField(), null, true, rules.costField(), rules.year()));
  }

  /**
   * Returns this reader with a field for the permits that an event asks for, otherwise 1.
   *
   * @param field a field's name, whose values are whole numbers of at least 1
   * @return the changed copy
   * @throws NullPointerException if {@code field} is null
   */
  public TraceReader withCostField(String field) {
    return with(
        new FieldRules(
            rules.timeField(),
            rules.keyField(),
            rules.oneKey(),
            Objects.requireNonNull(field, "field"),
            rules.year()));
  }

  /**
   * Returns this reader with another field for the time; an access log has but one.
   *
   * @param field a field's name
   * @return the changed copy
   * @throws NullPointerException if {@code field} is null
   */
  public TraceReader withTimeField(String field) {
    return with(
        new FieldRules(
            Objects.requireNonNull(field, "field"),
            rules.keyField(),
            rules.oneKey(),
            rules.costField(),
            rules.year()));
  }

  /**
   * Returns this reader with a year for the first time that has none; later ones are taken to be
   * nearest to the one before.
   *
   * @param year the year, from 1970 to 2254
   * @return the changed copy
   * @throws IllegalArgumentException if {@code year} is out of its bounds
   */
  public TraceReader withYear(int year) {
    if (year < 1970 || year > 2254) {
      throw new IllegalArgumentException("year is " + year + ", must be from 1970 to 2254");
    }
    return with(
        new FieldRules(
            rules.timeField(), rules.keyField(), rules.oneKey(), rules.costField(), year));
  }

  /**
   * Returns this reader of a part of the time.
   *
   * @param from the first time that is in, or empty
   * @param to the first time that is out again, or empty
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if a time is not from 1970 to 2255, or {@code to} is not after
   *     {@code from}
   */
  public TraceReader between(Optional<Instant> from, Optional<Instant> to) {
    long first = from.map(Micros::of).orElse(Long.MIN_VALUE);
    long end = to.map(Micros::of).orElse(Long.MAX_VALUE);
    if (first >= end) {
      throw new IllegalArgumentException(
          "the end, " + to.orElseThrow() + ", must be after the start, " + from.orElseThrow());
    }
    return new TraceReader(format, rules, first, end, maxEvents);
  }

  /**
   * Returns this reader of the first events of an input, in the order of its lines.
   *
   * @param count how many events to take, at least 1
   * @return the changed copy
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public TraceReader withMaxEvents(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("the most events are " + count + ", must be at least 1");
    }
    return new TraceReader(format, rules, fromMicros, toMicros, count);
  }

  private TraceReader with(FieldRules changed) {
    return new TraceReader(format, changed, fromMicros, toMicros, maxEvents);
  }

  /**
   * Reads a file.
   *
   * @param file the file, plain or gzip
   * @return the trace, named like the file
   * @throws NullPointerException if {@code file} is null
   * @throws NoSuchFileException if there is no such file
   * @throws TraceFormatException if no line of it can be read
   * @throws IOException if reading fails
   */
  public Trace read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new TraceFormatException(file + " is a directory, must be a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(Objects.toString(file.getFileName(), file.toString()), in);
    }
  }

  /**
   * Reads a stream to its end, and leaves it open.
   *
   * @param name what to call the trace
   * @param in the stream, plain or gzip
   * @return the trace
   * @throws NullPointerException if an argument is null
   * @throws TraceFormatException if no line of it can be read
   * @throws IOException if reading fails
   */
  public Trace read(String name, InputStream in) throws IOException {
    Trace.Loader loader = new Trace.Loader();
    boolean done = false;
    try {
      Reading reading = new Reading(name);
      reading.run(
          in, event -> loader.add(event.timeMicros, event.keyIn(loader.keys), event.permits));
      Trace trace =
          loader.trace(name, reading.digest, reading.skipped, reading.examples, "", List.of());
      done = true;
      return trace;
    } finally {
      if (!done) {
        loader.close();
      }
    }
  }

  /**
   * A request of one key, as {@link #requestsOf} reads it.
   *
   * @param time when it came
   * @param permits how many permits it asked for
   * @param text what it asked for, as the input has it
   */
  public record Request(Instant time, long permits, String text) {

    /**
     * Takes the request.
     *
     * @param time the component of that name
     * @param permits the component of that name
     * @param text the component of that name
     * @throws NullPointerException if a component is null
     */
    public Request {
      Objects.requireNonNull(time, "time");
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * Reads the requests of one key from a stream, and leaves it open.
   *
   * @param name what to call the trace
   * @param in the stream, plain or gzip
   * @param key the key
   * @return its requests in the order of time, empty if it has none
   * @throws NullPointerException if an argument is null
   * @throws TraceFormatException if no line of the input can be read
   * @throws IOException if reading fails
   */
  public List<Request> requestsOf(String name, InputStream in, String key) throws IOException {
    Objects.requireNonNull(key, "key");
    List<Request> requests = new ArrayList<>();
    new Reading(name)
        .run(
            in,
            event -> {
              if (event.key().equals(key)) {
                requests.add(
                    new Request(Lane.time(event.timeMicros), event.permits, event.request()));
              }
            });
    requests.sort(Comparator.comparing(Request::time));
    return requests;
  }

  /**
   * Reads a time in any of the forms that are known in logs.
   *
   * @param text a time such as {@code 1995-08-01T12:00:00Z} or {@code 807278400}
   * @return the time in whole microseconds, or empty if the text is none from 1970 to 2255
   * @throws NullPointerException if {@code text} is null
   */
  public static Optional<Instant> time(String text) {
    TimeParser parser = new TimeParser(null);
    return parser.parse(text) == null ? Optional.of(Lane.time(parser.micros())) : Optional.empty();
  }

  private interface Sink {
    void accept(RawEvent event);
  }

  /** One pass over one input. */
  private final class Reading {

    private final String name;
    final MessageDigest digest = Trace.sha256();
    final List<String> examples = new ArrayList<>();
    long skipped;
    private long taken;
    private long outside;

    Reading(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    void run(InputStream in, Sink sink) throws IOException {
      try {
        BufferedInputStream plain =
            new BufferedInputStream(new DigestInputStream(unpacked(in), digest), SNIFFED);
        TraceFormat found = format == TraceFormat.AUTO ? sniff(plain) : format;
        if (found == TraceFormat.HAR) {
          JsonParsers.archive(
              name,
              plain,
              rules,
              (number, fault, event) -> take("entry " + number, fault, event, sink));
        } else {
          lines(plain, parser(found), sink);
        }
        plain.transferTo(OutputStream.nullOutputStream()); // the digest is of all of it
        requireEvents(found);
      } catch (EOFException | ZipException e) {
        throw new TraceFormatException(
            name
                + ": the gzip data is damaged or cut off ("
                + e.getMessage()
                + "); unpack it first");
      }
    }

    private void lines(InputStream in, LineParser parser, Sink sink) throws IOException {
      LineReader lines = new LineReader(in);
      RawEvent event = new RawEvent();
      while (taken < maxEvents && lines.next()) {
        if (!lines.isBlank()) {
          String fault = lines.fault();
          if (fault == null) {
            fault = parser.parse(lines.buffer(), lines.from(), lines.to(), event);
          }
          if (fault == null) {
            take(event, sink);
          } else if (!fault.equals(LineParser.NOT_AN_EVENT)) {
            skip("line " + lines.number(), fault);
          }
        }
      }
    }

    private void take(String place, @Nullable String fault, RawEvent event, Sink sink) {
      if (fault != null) {
        skip(place, fault);
      } else if (taken < maxEvents) {
        take(event, sink);
      }
    }

    private void take(RawEvent event, Sink sink) {
      if (event.timeMicros < fromMicros || event.timeMicros >= toMicros) {
        outside++;
      } else {
        taken++;
        sink.accept(event);
      }
    }

    private void skip(String place, String fault) {
      if (++skipped <= EXAMPLES) {
        examples.add(place + ": " + fault);
      }
    }

    private void requireEvents(TraceFormat found) throws TraceFormatException {
      if (taken > 0) {
        return;
      }
      if (outside > 0) {
        throw new TraceFormatException(
            name + ": none of its " + outside + " events is between --from and --to");
      }
      throw new TraceFormatException(
          skipped == 0
              ? name + " is empty, there is nothing to replay"
              : name
                  + ": none of its "
                  + skipped
                  + " lines can be read as "
                  + described(found)
                  + " ("
                  + examples.get(0)
                  + "); say what it is by --format, or what its fields are called by --key-field and the like");
    }
  }

  private LineParser parser(TraceFormat found) {
    return switch (found) {
      case CSV -> new SeparatedParser(false, rules);
      case TSV -> new SeparatedParser(true, rules);
      case JSONL -> JsonParsers.lines(rules);
      default -> new AccessLogParser(found == TraceFormat.COMBINED, rules);
    };
  }

  private static String described(TraceFormat format) {
    return switch (format) {
      case CLF -> "an access log in common or combined format";
      case COMBINED -> "an access log in combined format";
      case CSV -> "CSV";
      case TSV -> "tab-separated values";
      case JSONL -> "JSON lines";
      default -> "an HTTP archive";
    };
  }

  /** Guesses the format from the first lines. */
  private TraceFormat sniff(BufferedInputStream in) throws IOException {
    in.mark(SNIFFED);
    byte[] head = in.readNBytes(SNIFFED);
    in.reset();
    List<String> lines =
        new String(head, StandardCharsets.ISO_8859_1)
            .replace("\u00EF\u00BB\u00BF", "") // a byte order mark
            .lines()
            .filter(line -> !line.isBlank())
            .limit(SNIFFED_LINES)
            .toList();
    AccessLogParser accessLog = new AccessLogParser(false, rules);
    for (String line : lines) {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      if (accessLog.parse(bytes, 0, bytes.length, new RawEvent()) == null) {
        return TraceFormat.CLF;
      }
    }
    String first = lines.isEmpty() ? "" : lines.get(0).strip();
    if (first.startsWith("{")) {
      return first.matches("\\{\\s*(\"log\"\\s*:.*)?") ? TraceFormat.HAR : TraceFormat.JSONL;
    }
    if (first.indexOf('\t') >= 0) {
      return TraceFormat.TSV;
    }
    return first.indexOf(',') >= 0 ? TraceFormat.CSV : TraceFormat.CLF;
  }

  private static InputStream unpacked(InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1F && buffered.read() == 0x8B;
    buffered.reset();
    return gzip ? new GZIPInputStream(buffered, 1 << 16) : buffered;
  }
}
