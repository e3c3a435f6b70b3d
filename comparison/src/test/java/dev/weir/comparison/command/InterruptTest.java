package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptTest {

  @Test
  void anInterruptStopsTheEmbeddedServer(@TempDir Path folder) throws Exception {
    Process weir =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                "--store",
                "redis",
                "--seconds",
                "600")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    try {
      ProcessHandle server = null;
      while (server == null) {
        assertThat(weir.waitFor(50, TimeUnit.MILLISECONDS)).as("it ended by itself").isFalse();
        server = server(weir).orElse(null);
      }
      weir.destroy(); // what the shutdown hooks see is the same as of Ctrl-C
      assertThat(weir.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(server.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      weir.destroyForcibly();
    }
  }

  private static Optional<ProcessHandle> server(Process weir) {
    return weir.descendants()
        .filter(each -> each.info().command().orElse("").contains("redis-server"))
        .findFirst();
  }
}
