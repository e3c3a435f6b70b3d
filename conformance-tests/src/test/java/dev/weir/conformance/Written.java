package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that are written by this module and kept under version control: tests compare them, and
 * with the system property {@code weir.write} set to true they are written instead.
 */
public final class Written {

  private Written() {}

  /** Fails if the file is not as the text says. */
  public static void assertUpToDate(String file, String text) throws IOException {
    Path path = Path.of(file);
    if (Boolean.getBoolean("weir.write")) {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.writeString(path, text);
    }
    assertThat(Files.exists(path) ? Files.readString(path) : "")
        .as(
            "%s, which is written by: mvn -pl conformance-tests -am test -DargLine=-Dweir.write=true",
            file)
        .isEqualTo(text);
  }
}
