package dev.weir.comparison.command;

import dev.weir.comparison.ProgressListener;
import java.io.PrintWriter;

/**
 * Progress on one line of a terminal, which goes when the work is done; nothing where standard
 * error is no terminal, as the launcher finds out: Java can ask only for all streams at once.
 */
final class Progress implements ProgressListener, AutoCloseable {

  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;
  private long shown;
  private boolean any;

  Progress(PrintWriter err) {
    this(err, Boolean.getBoolean("weir.terminal"));
  }

  Progress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void progress(String what, long done, long total) {
    long now = System.nanoTime();
    if (terminal && (!any || now - shown >= INTERVAL_NANOS)) {
      err.print(CLEAR + what + "  " + Math.min(99, 100 * done / Math.max(1, total)) + "%");
      err.flush();
      shown = now;
      any = true;
    }
  }

  @Override
  public void close() {
    if (any) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
