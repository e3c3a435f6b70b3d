package dev.weir.integration;

import static org.awaitility.Awaitility.await;

import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;

/** Servers that together are one store, each with at least one replica that can take its place. */
abstract class Topology implements AutoCloseable {

  private final Path directory;

  Topology() {
    try {
      directory = Files.createTempDirectory("weir-topology");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client of all servers; its caller shuts it down. */
  final RedissonClient newClient() {
    return newClient(new Config());
  }

  /** A client that has only the rights that the documentation tells to give. */
  final RedissonClient newLimiterUserClient() {
    for (RedisProcess server : dataServers()) {
      server.call(LimiterUser.rights());
      for (String[] more : moreRights()) {
        server.call(more);
      }
    }
    return newClient(new Config().setUsername(LimiterUser.NAME).setPassword(LimiterUser.PASSWORD));
  }

  private RedissonClient newClient(Config config) {
    config.setNettyThreads(2);
    config.setThreads(2);
    BaseMasterSlaveServersConfig<?> servers = configure(config);
    servers
        .setReadMode(ReadMode.MASTER)
        .setMasterConnectionPoolSize(4)
        .setMasterConnectionMinimumIdleSize(4)
        .setSlaveConnectionMinimumIdleSize(1)
        .setSubscriptionConnectionMinimumIdleSize(0);
    return Redisson.create(config);
  }

  abstract BaseMasterSlaveServersConfig<?> configure(Config config);

  abstract List<RedisProcess> dataServers();

  /** All that was started, other servers than those of data too. */
  List<RedisProcess> servers() {
    return dataServers();
  }

  /** What a limiter's user needs here beside the usual. */
  List<String[]> moreRights() {
    return List.of();
  }

  /** The server that decides for a key of this name. */
  abstract RedisProcess master(String name);

  /** Lets a replica take the place of a killed master, where the servers do not see to it. */
  void promote(RedisProcess killed) {}

  /** Starts killed servers again; returns when all replicas follow. */
  abstract void heal();

  /** The directory for what the servers write. */
  final Path directory() {
    return directory;
  }

  @Override
  public void close() {
    servers().forEach(RedisProcess::close);
    RedisProcess.delete(directory);
  }

  static void until(String what, Callable<Boolean> reached) {
    await(what)
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptions()
        .until(reached);
  }

  static String info(RedisProcess server, String section, String name) {
    try (RespClient client = new RespClient(server.uri())) {
      return String.valueOf(client.info(section, name));
    }
  }

  static boolean follows(RedisProcess replica) {
    return info(replica, "replication", "master_link_status").equals("up");
  }

  /** Returns when a replica has got all that a master decided before this call. */
  static void confirmReplicated(RedisProcess master, String name) {
    try (RespClient client = new RespClient(master.uri())) {
      client.call("SET", "{" + name + "}marker", "", "PX", "60000");
      if (client.number("WAIT", "1", "10000") < 1) {
        throw new IllegalStateException("the replica has not got the decisions within 10 s");
      }
    }
  }
}
