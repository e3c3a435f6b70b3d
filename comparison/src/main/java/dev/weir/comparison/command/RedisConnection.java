package dev.weir.comparison.command;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;
import redis.embedded.RedisExecProvider;
import redis.embedded.RedisServer;
import redis.embedded.exceptions.EmbeddedRedisException;

/**
 * A connection to the Redis server that a command works on: one that the user names, or one of the
 * command's own, which it starts and stops, also on Ctrl-C.
 */
final class RedisConnection implements AutoCloseable {

  private static final int TRIES = 5;

  private final RedissonClient client;
  private final @Nullable RedisServer server;
  private final @Nullable Thread stopAtExit;
  private final String description;

  private RedisConnection(
      RedissonClient client,
      @Nullable RedisServer server,
      @Nullable Thread stopAtExit,
      String description) {
    this.client = client;
    this.server = server;
    this.stopAtExit = stopAtExit;
    this.description = description;
  }

  /** Connects to the server of this URI, or to a new one if it is null. */
  static RedisConnection open(@Nullable String uri) throws IOException {
    return uri == null ? embedded() : connect(uri);
  }

  private static RedisConnection embedded() throws IOException {
    EmbeddedRedisException failure = null;
    for (int i = 0; i < TRIES; i++) {
      int port = freePort();
      RedisServer server;
      try {
        server =
            RedisServer.builder()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no")
                .build();
      } catch (RuntimeException e) {
        throw new IOException(
            "there is no embedded Redis server for this platform ("
                + e.getMessage()
                + "): name one by --redis redis://HOST:PORT, or take --store memory",
            e);
      }
      // Before the start: a Ctrl-C right after it finds the hook in place.
      Thread stopAtExit = new Thread(() -> stop(server), "stop-embedded-redis");
      Runtime.getRuntime().addShutdownHook(stopAtExit);
      try {
        server.start();
        return new RedisConnection(
            redisson("redis://127.0.0.1:" + port, null),
            server,
            stopAtExit,
            "an embedded server, Redis " + RedisExecProvider.redisVersion);
      } catch (EmbeddedRedisException e) { // most likely somebody took the port in between
        failure = e;
        if (ShutdownHook.isTooLateToRemove(stopAtExit)) {
          break; // Ctrl-C: the server got it, too
        }
      }
    }
    throw new IOException(
        "the embedded Redis server does not start ("
            + failure
            + "): name one by --redis redis://HOST:PORT, or take --store memory");
  }

  private static RedisConnection connect(String text) throws IOException {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("--redis is not a URI like redis://127.0.0.1:6379", e);
    }
    if (uri.getHost() == null
        || !("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()))) {
      throw new IllegalArgumentException(
          "--redis must be a URI like redis://127.0.0.1:6379 or rediss://user:password@host:6380/1");
    }
    String address =
        uri.getScheme() + "://" + uri.getHost() + ":" + (uri.getPort() < 0 ? 6379 : uri.getPort());
    try {
      return new RedisConnection(redisson(address, uri), null, null, "the server at " + address);
    } catch (RedisException e) {
      Throwable root = e;
      for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
        root = cause;
      }
      throw new IOException(
          "cannot use Redis at "
              + address
              + " ("
              + root.getMessage()
              + "): start it, correct --redis, or leave it out for an embedded server",
          e);
    }
  }

  private static RedissonClient redisson(String address, @Nullable URI credentials) {
    Config config = new Config();
    config.setCodec(StringCodec.INSTANCE);
    config.setThreads(2);
    config.setNettyThreads(2); // these two and a pool of 4: several times as fast as the defaults
    SingleServerConfig server =
        config
            .useSingleServer()
            .setAddress(address)
            .setConnectionPoolSize(4)
            .setConnectionMinimumIdleSize(4)
            .setSubscriptionConnectionPoolSize(1)
            .setSubscriptionConnectionMinimumIdleSize(0)
            .setConnectTimeout(3_000)
            .setTimeout(10_000);
    if (credentials != null) {
      String user = credentials.getUserInfo();
      if (user != null) {
        int colon = user.indexOf(':');
        if (colon > 0) {
          config.setUsername(user.substring(0, colon));
        }
        config.setPassword(user.substring(colon + 1));
      }
      String path = credentials.getPath();
      if (path.length() > 1) {
        try {
          server.setDatabase(Integer.parseInt(path.substring(1)));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "--redis has database '" + path.substring(1) + "', must be a number", e);
        }
      }
    }
    return Redisson.create(config);
  }

  RedissonClient client() {
    return client;
  }

  /** Which server it is, for the user. */
  String description() {
    return description;
  }

  @Override
  public void close() {
    client.shutdown();
    if (server != null) {
      stop(server);
    }
    if (stopAtExit != null) {
      boolean unused = ShutdownHook.isTooLateToRemove(stopAtExit);
    }
  }

  private static void stop(RedisServer server) {
    if (server.isActive()) {
      server.stop();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
