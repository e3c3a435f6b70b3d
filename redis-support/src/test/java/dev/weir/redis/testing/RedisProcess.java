package dev.weir.redis.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/**
 * A server of a test's own, from the embedded binary, that may be killed, filled or stopped. It
 * does not outlive the JVM, however that ends.
 */
public final class RedisProcess implements AutoCloseable {

  private final List<String> command;
  private final int port;
  private final Path directory;
  private Process process;
  private Process watchdog;

  private RedisProcess(List<String> command, int port) {
    this.command = command;
    this.port = port;
    this.directory = newDirectory();
    try {
      this.process = launch();
    } catch (RuntimeException e) {
      delete(directory);
      throw e;
    }
    this.watchdog = watch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts a server on a free port, with settings such as {@code "--maxmemory", "8mb"}. */
  public static RedisProcess start(String... settings) {
    return start(List.of(), settings);
  }

  /** Starts a server on a free port that reads its settings from a file first, and writes to it. */
  public static RedisProcess startFrom(Path file, String... settings) {
    return start(List.of(file.toString()), settings);
  }

  private static RedisProcess start(List<String> file, String... settings) {
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      List<String> command = new ArrayList<>(List.of(Binary.PATH));
      command.addAll(file);
      Collections.addAll(command, "--port", String.valueOf(port), "--bind", "127.0.0.1");
      Collections.addAll(command, "--save", "", "--appendonly", "no");
      // Else a replica leaves what it has got from its master in a file, and reads it when it is
      // started again.
      Collections.addAll(command, "--rdb-del-sync-files", "yes");
      Collections.addAll(command, settings);
      try {
        return new RedisProcess(command, port);
      } catch (IllegalStateException e) {
        // Somebody took the port between the look and the start.
        if (attempt == 3) {
          throw e;
        }
      }
    }
  }

  public URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  /** The address with a user, or an empty name for the default one, and a password. */
  public URI uri(String user, String password) {
    return URI.create("redis://" + user + ":" + password + "@127.0.0.1:" + port);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends the server one command on a connection of its own, see {@link RespClient#call}. */
  public @Nullable Object call(String... command) {
    try (RespClient client = new RespClient(uri())) {
      return client.call(command);
    }
  }

  /** Ends the server without a word to its clients. */
  public void kill() {
    watchdog.destroyForcibly();
    process.destroyForcibly();
    awaitExit();
  }

  /**
   * Starts the server again, on the same port, with what it had written to disk: by default
   * nothing.
   */
  public void restart() {
    kill();
    process = launch();
    watchdog = watch();
  }

  /** Stops the server from answering; its connections stay open. */
  public void freeze() {
    signal("STOP");
  }

  /** Lets a frozen server answer again. */
  public void thaw() {
    signal("CONT");
  }

  /** Takes the server's directory away, so that it cannot save. */
  public void deleteDirectory() {
    delete(directory);
  }

  @Override
  public void close() {
    kill();
    delete(directory);
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("weir-redis");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory of a server with all that is in it. */
  public static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException | UncheckedIOException e) {
      // It stays behind in the system's temp; nothing depends on it.
    }
  }

  private Process launch() {
    try {
      Process started =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (started.isAlive() && System.nanoTime() < deadline) {
        try (RespClient client = new RespClient(uri())) {
          client.call("PING");
          // Another server that was faster at this port would answer too.
          if (String.valueOf(started.pid()).equals(client.info("server", "process_id"))) {
            return started;
          }
        } catch (IllegalStateException e) {
          if (e.getMessage().startsWith("NOAUTH")) {
            return started;
          }
        } catch (UncheckedIOException e) {
          Thread.onSpinWait();
        }
      }
      started.destroyForcibly();
      throw new IllegalStateException("the server did not start: " + command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A shell that reads from this JVM until that is gone, and then does what it could not do. */
  private Process watch() {
    try {
      return new ProcessBuilder(
              "sh",
              "-c",
              "read -r gone; kill -9 \"$0\"; rm -rf \"$1\"",
              String.valueOf(process.pid()),
              directory.toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void awaitExit() {
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns a port that nobody listens on, below those that systems give to outgoing connections: a
   * client that calls a killed server at one of those can come to be connected with itself.
   */
  public static int freePort() {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        if (attempt == 100) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** The embedded binary, unpacked once a JVM. */
  private static final class Binary {

    static final String PATH = unpack();

    private static String unpack() {
      try {
        File binary = RedisExecProvider.defaultProvider().get();
        Path directory = binary.toPath().getParent();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
        return binary.getAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
