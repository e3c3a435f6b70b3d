package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;

class StandardOutputTest {

  @Test
  void outputThatIsLostIsRemembered() {
    assertThat(failureOf("No space left on device")).isEqualTo("No space left on device");
  }

  @Test
  void aReaderThatHasSeenEnoughIsNoFailure() {
    assertThat(failureOf("Broken pipe")).isEmpty();
  }

  private static String failureOf(String message) {
    StandardOutput out =
        new StandardOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(message);
              }
            });
    assertThat(out.failure()).isEmpty();
    PrintWriter writer = new PrintWriter(out);
    writer.println("a result");
    writer.flush();
    return out.failure().orElse("");
  }
}
