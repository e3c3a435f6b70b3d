package dev.weir.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import redis.embedded.RedisExecProvider;

/**
 * A Redis on a free port of the loopback interface, without persistence: the {@code redis-server}
 * of the path if there is one, as users run it, or else the embedded one, whose allocator makes
 * scripts slower.
 */
final class LocalRedis implements AutoCloseable {

  final String uri;

  private final Process process;

  LocalRedis() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    uri = "redis://127.0.0.1:" + port;
    process =
        new ProcessBuilder(
                program(), "--port", String.valueOf(port), "--bind", "127.0.0.1", "--save", "")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (!accepts(port)) {
      if (!process.isAlive()) {
        throw new IOException("redis-server ended with " + process.exitValue());
      }
    }
  }

  private static String program() throws IOException {
    return Stream.of(Objects.toString(System.getenv("PATH"), "").split(File.pathSeparator))
        .map(folder -> new File(folder, "redis-server"))
        .filter(File::canExecute)
        .findFirst()
        .orElse(RedisExecProvider.defaultProvider().get())
        .getPath();
  }

  private boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns a client with the settings that docs/redis.md recommends, which all subjects share. */
  static RedissonClient client(String uri) {
    Config config = new Config();
    config.setCodec(StringCodec.INSTANCE);
    config.setThreads(2);
    config.setNettyThreads(2);
    config
        .useSingleServer()
        .setAddress(uri)
        .setConnectionPoolSize(4)
        .setConnectionMinimumIdleSize(4)
        .setSubscriptionConnectionMinimumIdleSize(0);
    return Redisson.create(config);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
