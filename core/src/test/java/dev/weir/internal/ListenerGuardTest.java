package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class ListenerGuardTest {

  private record Entry(System.Logger.Level level, String text, Throwable thrown) {}

  /** Keeps what is logged. */
  private static final class Log implements System.Logger {
    private final List<Entry> entries = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      entries.add(new Entry(level, text, thrown));
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      entries.add(new Entry(level, MessageFormat.format(format, parameters), null));
    }
  }

  private final Log log = new Log();
  private final ListenerGuard guard = new ListenerGuard("a listener", () -> log);

  private static Runnable throwing(Throwable thrown) {
    return () -> ListenerGuardTest.<RuntimeException>sneak(thrown);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void whatAListenerThrowsIsWarnedOfOnceWithoutItsMessage() {
    List<Throwable> thrown =
        List.of(new IllegalStateException("secret"), new AssertionError(), new Exception());
    thrown.forEach(e -> guard.call(throwing(e)));

    assertThat(log.entries)
        .extracting(Entry::level)
        .containsExactly(
            System.Logger.Level.WARNING,
            System.Logger.Level.DEBUG,
            System.Logger.Level.DEBUG,
            System.Logger.Level.DEBUG);
    assertThat(log.entries.get(0).text())
        .startsWith("the listener java.lang.String threw java.lang.IllegalStateException, which")
        .doesNotContain("secret");
    assertThat(log.entries).extracting(Entry::thrown).filteredOn(e -> e != null).isEqualTo(thrown);
    assertThat(log.entries.get(1).text()).isEqualTo("the listener java.lang.String threw");
  }

  @Test
  void aListenerThatDoesNotThrowIsNotLogged() {
    guard.call(() -> {});
    assertThat(log.entries).isEmpty();
  }
}
