package dev.weir.comparison.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Standard output that remembers what a print stream would swallow. */
final class StandardOutput extends FilterOutputStream {

  private @Nullable IOException failure;

  StandardOutput() {
    this(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
  }

  StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** What went wrong, unless it is that the reader of a pipe has seen enough. */
  Optional<String> failure() {
    return Optional.ofNullable(failure)
        .map(e -> String.valueOf(e.getMessage()))
        .filter(message -> !message.contains("Broken pipe"));
  }
}
