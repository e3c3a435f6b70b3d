package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final StringWriter text = new StringWriter();

  @Test
  void aTerminalShowsOneLineThatGoesInTheEnd() {
    try (Progress progress = new Progress(new PrintWriter(text), true)) {
      progress.progress("fixed-window", 1, 4);
      assertThat(text).hasToString("\r\u001b[Kfixed-window  25%");
      progress.progress("fixed-window", 2, 4); // so soon after the first it is not shown
    }
    assertThat(text).hasToString("\r\u001b[Kfixed-window  25%\r\u001b[K");
  }

  @Test
  void neverIsMoreThanAllDoneOrDividedByNothing() {
    try (Progress progress = new Progress(new PrintWriter(text), true)) {
      progress.progress("token-bucket", 9, 4);
    }
    assertThat(text.toString()).contains("token-bucket  99%");
    try (Progress progress = new Progress(new PrintWriter(text), true)) {
      progress.progress("liar", 0, 0);
    }
    assertThat(text.toString()).contains("liar  0%");
  }

  @Test
  void whatIsNoTerminalStaysQuiet() {
    try (Progress progress = new Progress(new PrintWriter(text), false)) {
      progress.progress("fixed-window", 1, 4);
    }
    assertThat(text.toString()).isEmpty();
  }
}
