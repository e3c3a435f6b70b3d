package dev.weir.comparison;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A trace reader reads a trace from an access log, plain or compressed by gzip.
 *
 * <p>The input is read once, as a stream, so it may be longer than memory. Lines that cannot be
 * read are skipped and counted; an input in which none can be is refused. Times are taken with
 * their zone, as UTC where there is none, and sorted, stably. Immutable, and safe for use by any
 * number of threads.
 */
public final class TraceReader {

  private static final int EXAMPLES = 3;

  private final TraceFormat format;

  private TraceReader(TraceFormat format) {
    this.format = format;
  }

  /**
   * Returns the reader of a format, whose key is the host that asks.
   *
   * @param format the format of the inputs
   * @return a reader
   * @throws NullPointerException if {@code format} is null
   */
  public static TraceReader of(TraceFormat format) {
    return new TraceReader(Objects.requireNonNull(format, "format"));
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
    Objects.requireNonNull(name, "name");
    MessageDigest digest = Trace.sha256();
    Trace.Loader loader = new Trace.Loader();
    boolean done = false;
    try {
      Trace trace = load(name, new DigestInputStream(plain(in), digest), loader, digest);
      done = true;
      return trace;
    } catch (EOFException | ZipException e) {
      throw new TraceFormatException(
          name + ": the gzip data is damaged or cut off (" + e.getMessage() + "); unpack it first");
    } finally {
      if (!done) {
        loader.close();
      }
    }
  }

  private Trace load(String name, InputStream in, Trace.Loader loader, MessageDigest digest)
      throws IOException {
    LineReader lines = new LineReader(in);
    AccessLogParser parser = new AccessLogParser(format == TraceFormat.COMBINED);
    RawEvent event = new RawEvent();
    long skipped = 0;
    List<String> examples = new ArrayList<>();
    while (lines.next()) {
      if (lines.isBlank()) {
        continue;
      }
      String fault = parse(lines, parser, event);
      if (fault == null) {
        loader.add(
            event.timeMicros,
            loader.keys.index(event.buffer, event.keyFrom, event.keyTo),
            event.permits);
      } else if (++skipped <= EXAMPLES) {
        examples.add("line " + lines.number() + ": " + fault);
      }
    }
    if (loader.count == 0) {
      throw new TraceFormatException(
          skipped == 0
              ? name + " is empty, there is nothing to replay"
              : name
                  + ": none of its "
                  + skipped
                  + " lines is in "
                  + (format == TraceFormat.COMBINED ? "combined" : "common or combined")
                  + " log format ("
                  + examples.get(0)
                  + ")");
    }
    return loader.trace(name, digest, skipped, examples, "", List.of());
  }

  private static @Nullable String parse(LineReader lines, AccessLogParser parser, RawEvent event) {
    String fault = lines.fault();
    return fault != null ? fault : parser.parse(lines.buffer(), lines.from(), lines.to(), event);
  }

  private static InputStream plain(InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1F && buffered.read() == 0x8B;
    buffered.reset();
    return gzip ? new GZIPInputStream(buffered, 1 << 16) : buffered;
  }
}
