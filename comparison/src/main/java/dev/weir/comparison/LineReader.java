package dev.weir.comparison;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A line reader gives the lines of a stream as bytes, without copying them; a line ends at LF or
 * CRLF, the last one also at the end of the stream.
 */
final class LineReader {

  static final int LONGEST = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[4 * LONGEST];
  private int filled;
  private int from;
  private int to;
  private int next;
  private long number;
  private boolean tooLong;

  LineReader(InputStream in) {
    this.in = in;
  }

  /** Moves to the next line; false at the end. */
  boolean next() throws IOException {
    tooLong = false;
    int scanned = next;
    while (true) {
      for (int i = scanned; i < filled; i++) {
        if (buffer[i] == '\n') {
          return line(i, i + 1);
        }
      }
      if (filled - next > LONGEST) {
        tooLong = true;
        next = filled; // what was read of the line is dropped
      }
      scanned = filled;
      if (filled == buffer.length) {
        System.arraycopy(buffer, next, buffer, 0, filled - next);
        filled -= next;
        scanned -= next;
        next = 0;
      }
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        return (filled > next || tooLong) && line(filled, filled);
      }
      filled += read;
    }
  }

  private boolean line(int end, int following) {
    from = next;
    to = end > next && buffer[end - 1] == '\r' ? end - 1 : end;
    next = following;
    number++;
    if (number == 1 && startsWithByteOrderMark()) {
      from += 3;
    }
    tooLong |= to - from > LONGEST;
    return true;
  }

  private boolean startsWithByteOrderMark() {
    return to - from >= 3
        && buffer[from] == (byte) 0xEF
        && buffer[from + 1] == (byte) 0xBB
        && buffer[from + 2] == (byte) 0xBF;
  }

  byte[] buffer() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** The number of the line, from 1. */
  long number() {
    return number;
  }

  /** Why no parser should look at this line, or null. */
  @Nullable String fault() {
    return tooLong ? "longer than " + LONGEST + " bytes" : null;
  }

  boolean isBlank() {
    for (int i = from; i < to; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t') {
        return false;
      }
    }
    return !tooLong;
  }
}
