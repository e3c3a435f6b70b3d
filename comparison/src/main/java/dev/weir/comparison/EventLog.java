package dev.weir.comparison;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * An event log takes the events of a trace in any order and gives them back, as often as asked, in
 * the order of their times; events of one time keep the order in which they came.
 *
 * <p>Events are kept in runs, each sorted. The first runs stay in memory, later ones go to a
 * temporary file of 20 bytes an event, and a cursor merges the runs: so a trace of any length takes
 * bounded memory, also one that is far out of order.
 */
final class EventLog implements Closeable {

  private static final int RUN = 1 << 20;
  private static final int RUNS_IN_MEMORY = 4;
  private static final int EVENT_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES;
  private static final int EVENTS_A_READ = 4096;

  private final int run;
  private final int runsInMemory;
  private final List<Run> runs = new ArrayList<>();
  private long[] times = new long[256];
  private int[] keys = new int[256];
  private long[] permits = new long[256];
  private int size;
  private boolean inOrder = true;
  private @Nullable FileChannel file;
  private long fileEnd;

  EventLog() {
    this(RUN, RUNS_IN_MEMORY);
  }

  /** Takes the sizes, so that tests reach the file with few events. */
  EventLog(int run, int runsInMemory) {
    this.run = run;
    this.runsInMemory = runsInMemory;
  }

  void add(long time, int key, long permitCount) {
    if (size == times.length) {
      int larger = Math.min(run, 2 * size);
      times = Arrays.copyOf(times, larger);
      keys = Arrays.copyOf(keys, larger);
      permits = Arrays.copyOf(permits, larger);
    }
    inOrder &= size == 0 || times[size - 1] <= time;
    times[size] = time;
    keys[size] = key;
    permits[size] = permitCount;
    if (++size >= run) {
      endRun();
    }
  }

  /** Ends the adding; from now on there can be cursors. */
  void finish() {
    if (size > 0) {
      endRun();
    }
    times = new long[0];
    keys = new int[0];
    permits = new long[0];
  }

  Cursor cursor() {
    return new Cursor(runs, file);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private void endRun() {
    if (!inOrder) {
      sort();
    }
    if (runs.size() < runsInMemory) {
      runs.add(new Run(times, keys, permits, size, -1));
      times = new long[256];
      keys = new int[256];
      permits = new long[256];
    } else {
      runs.add(new Run(new long[0], new int[0], new long[0], size, write()));
    }
    size = 0;
    inOrder = true;
  }

  private void sort() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(i -> times[i]));
    long[] sortedTimes = new long[size];
    int[] sortedKeys = new int[size];
    long[] sortedPermits = new long[size];
    for (int i = 0; i < size; i++) {
      sortedTimes[i] = times[order[i]];
      sortedKeys[i] = keys[order[i]];
      sortedPermits[i] = permits[order[i]];
    }
    times = sortedTimes;
    keys = sortedKeys;
    permits = sortedPermits;
  }

  private long write() {
    try {
      if (file == null) {
        Path path = Files.createTempFile("weir-trace", ".events");
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      long start = fileEnd;
      ByteBuffer buffer = ByteBuffer.allocateDirect(EVENTS_A_READ * EVENT_BYTES);
      for (int i = 0; i < size; i++) {
        buffer.putLong(times[i]).putInt(keys[i]).putLong(permits[i]);
        if (!buffer.hasRemaining() || i == size - 1) {
          buffer.flip();
          while (buffer.hasRemaining()) {
            fileEnd += file.write(buffer, fileEnd);
          }
          buffer.clear();
        }
      }
      return start;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the trace to a temporary file: " + e, e);
    }
  }

  /** A sorted run, in memory or, where {@code position} is not negative, in the file from there. */
  private static final class Run {

    final long[] times;
    final int[] keys;
    final long[] permits;
    final int size;
    final long position;

    Run(long[] times, int[] keys, long[] permits, int size, long position) {
      this.times = times;
      this.keys = keys;
      this.permits = permits;
      this.size = size;
      this.position = position;
    }
  }

  /** A position in one run, with the events around it in memory. */
  private static final class RunCursor {

    private final Run run;
    private final int number;
    private final @Nullable FileChannel file;
    private final @Nullable ByteBuffer buffer;
    private long[] times;
    private int[] keys;
    private long[] permits;
    private int loaded;
    private int before; // events of the run before those loaded
    private int at = -1;

    RunCursor(Run run, int number, @Nullable FileChannel file) {
      this.run = run;
      this.number = number;
      if (run.position < 0) {
        this.file = null;
        buffer = null;
        times = run.times;
        keys = run.keys;
        permits = run.permits;
        loaded = run.size;
      } else {
        this.file = file;
        buffer = ByteBuffer.allocateDirect(EVENTS_A_READ * EVENT_BYTES);
        times = new long[EVENTS_A_READ];
        keys = new int[EVENTS_A_READ];
        permits = new long[EVENTS_A_READ];
      }
    }

    boolean advance() {
      if (++at < loaded) {
        return true;
      }
      before += loaded;
      if (before == run.size || file == null || buffer == null) {
        return false;
      }
      load(file, buffer);
      at = 0;
      return true;
    }

    private void load(FileChannel file, ByteBuffer buffer) {
      loaded = Math.min(EVENTS_A_READ, run.size - before);
      buffer.clear().limit(loaded * EVENT_BYTES);
      long position = run.position + (long) before * EVENT_BYTES;
      try {
        while (buffer.hasRemaining()) {
          if (file.read(buffer, position + buffer.position()) < 0) {
            throw new IOException("the file has become shorter");
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the trace's temporary file: " + e, e);
      }
      buffer.flip();
      for (int i = 0; i < loaded; i++) {
        times[i] = buffer.getLong();
        keys[i] = buffer.getInt();
        permits[i] = buffer.getLong();
      }
    }

    long time() {
      return times[at];
    }

    boolean isBefore(RunCursor other) {
      return time() < other.time() || (time() == other.time() && number < other.number);
    }
  }

  /** Reads the events in the order of time; merges the runs. */
  static final class Cursor {

    private final PriorityQueue<RunCursor> waiting =
        new PriorityQueue<>((a, b) -> a.isBefore(b) ? -1 : 1);
    private @Nullable RunCursor current;
    private long time;
    private int key;
    private long permits;

    private Cursor(List<Run> runs, @Nullable FileChannel file) {
      for (int i = 0; i < runs.size(); i++) {
        RunCursor cursor = new RunCursor(runs.get(i), i, file);
        if (cursor.advance()) {
          waiting.add(cursor);
        }
      }
    }

    boolean next() {
      RunCursor from = current;
      if (from == null || !from.advance()) {
        from = waiting.poll();
      } else {
        RunCursor rival = waiting.peek();
        if (rival != null && rival.isBefore(from)) {
          waiting.poll();
          waiting.add(from);
          from = rival;
        }
      }
      current = from;
      if (from == null) {
        return false;
      }
      time = from.times[from.at];
      key = from.keys[from.at];
      permits = from.permits[from.at];
      return true;
    }

    long time() {
      return time;
    }

    int key() {
      return key;
    }

    long permits() {
      return permits;
    }
  }
}
