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
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A server of a test's own, from the embedded binary, that may be killed, filled or stopped. */
public final class RedisProcess implements AutoCloseable {

  private final List<String> command;
  private final int port;
  private Process process;

  private RedisProcess(List<String> command, int port) {
    this.command = command;
    this.port = port;
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
  }

  /** Starts a server on a free port, with settings such as {@code "--maxmemory", "8mb"}. */
  public static RedisProcess start(String... settings) {
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      List<String> command = new ArrayList<>(List.of(Binary.PATH, "--port", String.valueOf(port)));
      Collections.addAll(command, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no");
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

  /** Ends the server without a word to its clients. */
  public void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Starts the server again, on the same port and empty. */
  public void restart() {
    kill();
    process = launch();
  }

  /** Stops the server from answering; its connections stay open. */
  public void freeze() {
    signal("STOP");
  }

  /** Lets a frozen server answer again. */
  public void thaw() {
    signal("CONT");
  }

  @Override
  public void close() {
    kill();
  }

  private Process launch() {
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (started.isAlive() && System.nanoTime() < deadline) {
        try (RespClient client = new RespClient(uri())) {
          client.call("PING");
          return started;
        } catch (UncheckedIOException | IllegalStateException e) {
          Thread.onSpinWait();
        }
      }
      started.destroyForcibly();
      throw new IllegalStateException("the server did not start: " + command);
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

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The embedded binary, unpacked once a JVM. */
  private static final class Binary {

    static final String PATH = unpack();

    private static String unpack() {
      try {
        File binary = RedisExecProvider.defaultProvider().get();
        Path directory = binary.toPath().getParent();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(binary.toPath(), directory)));
        return binary.getAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void delete(Path binary, Path directory) {
      try {
        Files.deleteIfExists(binary);
        Files.deleteIfExists(directory);
      } catch (IOException e) {
        // A directory in the system's temp stays behind; nothing depends on it.
      }
    }
  }
}
