package dev.weir.integration;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Keeps what anybody in this JVM logs above DEBUG with a key of {@link Load} in it, and prints none
 * of the rest.
 */
public final class LogRecorder implements LauncherSessionListener {

  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    root.addHandler(new Recording());
  }

  /** Returns what was logged with a key in it. */
  static List<String> leaks() {
    return List.copyOf(LEAKS);
  }

  /** Returns the text of a failure as a log shows it, with all its causes. */
  static String text(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static final class Recording extends Handler {

    private final SimpleFormatter format = new SimpleFormatter();

    @Override
    public void publish(LogRecord entry) {
      String text = format.format(entry);
      if (text.contains(Load.SECRET)) {
        LEAKS.add(text);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
