package dev.weir.redis.testing;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The real server that all tests of a JVM share, started at the first use: the one that the
 * environment variable {@code WEIR_TEST_REDIS} names (its URI, or {@code embedded}), or else a
 * container of the image {@code WEIR_TEST_REDIS_IMAGE} where an engine answers, or else the
 * embedded server.
 */
public final class TestRedis {

  private static final String DEFAULT_IMAGE = "redis:7.0";
  private static final Duration ENGINE_ANSWERS = Duration.ofSeconds(15);
  private static final Duration CONTAINER_STARTS = Duration.ofSeconds(90);
  private static final AtomicLong NAMESPACES = new AtomicLong();

  private TestRedis() {}

  public static URI uri() {
    return Server.FOUND;
  }

  /** A client of the shared server, which stays open as long as the JVM. */
  public static RedissonClient redisson() {
    return Client.SHARED;
  }

  /** A client with the settings that suit two cores; its caller shuts it down. */
  public static RedissonClient newClient(URI uri) {
    Config config = new Config();
    config.setNettyThreads(2);
    config.setThreads(2);
    config
        .useSingleServer()
        .setAddress(uri.toString())
        .setConnectionPoolSize(4)
        .setConnectionMinimumIdleSize(4)
        .setSubscriptionConnectionMinimumIdleSize(0);
    return Redisson.create(config);
  }

  /** A namespace that no other test uses, in this JVM or another. */
  public static String freshNamespace() {
    return "t"
        + Long.toString(ProcessHandle.current().pid(), 36)
        + Long.toString(System.nanoTime() & 0xFFFFFF, 36)
        + Long.toString(NAMESPACES.incrementAndGet(), 36);
  }

  private static final class Client {

    static final RedissonClient SHARED = newClient(uri());

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(SHARED::shutdown));
    }
  }

  /** Holds what {@link #find} returns, whose threads could not run while this class is started. */
  private static final class Server {

    static final URI FOUND = find();
  }

  private static URI find() {
    String given = Optional.ofNullable(System.getenv("WEIR_TEST_REDIS")).orElse("");
    if (given.equals("embedded")) {
      return embedded("as WEIR_TEST_REDIS says");
    }
    if (!given.isBlank()) {
      return announced(URI.create(given), "WEIR_TEST_REDIS");
    }
    String image =
        Optional.ofNullable(System.getenv("WEIR_TEST_REDIS_IMAGE"))
            .filter(name -> !name.isBlank())
            .orElse(DEFAULT_IMAGE);
    if (within(ENGINE_ANSWERS, () -> DockerClientFactory.instance().isDockerAvailable())
        .orElse(false)) {
      Optional<URI> container = within(CONTAINER_STARTS, () -> startContainer(image));
      if (container.isPresent()) {
        return announced(container.get(), "a container of " + image);
      }
      return embedded("for no container of " + image + " could be started");
    }
    return embedded("for no Docker engine answers");
  }

  private static URI embedded(String why) {
    return announced(RedisProcess.start().uri(), "the embedded server, " + why);
  }

  @SuppressWarnings("resource") // Testcontainers removes it when the JVM ends
  private static URI startContainer(String image) {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withExposedPorts(6379)
            // The default wait needs a shell in the image.
            .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\n", 1));
    container.start();
    return URI.create("redis://" + container.getHost() + ":" + container.getMappedPort(6379));
  }

  /** Testcontainers hangs for minutes where an engine is half there. */
  private static <T> Optional<T> within(Duration limit, Supplier<T> something) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(something.get());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            "weir-test-container");
    thread.setDaemon(true);
    thread.start();
    try {
      return Optional.of(result.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static URI announced(URI uri, String source) {
    try (RespClient client = new RespClient(uri)) {
      String valkey = client.info("server", "valkey_version");
      String version =
          valkey == null ? "Redis " + client.info("server", "redis_version") : "Valkey " + valkey;
      say(version + ", " + source);
    }
    return uri;
  }

  private static void say(String what) {
    System.out.println("Weir tests run on " + what);
  }
}
