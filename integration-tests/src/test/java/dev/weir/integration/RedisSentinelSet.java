package dev.weir.integration;

import dev.weir.redis.testing.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;

/** A master and a replica, and three sentinels that put the replica in the master's place. */
final class RedisSentinelSet extends Topology {

  private static final String NAME = "weir";

  private final List<RedisProcess> servers = new ArrayList<>();
  private final List<RedisProcess> sentinels = new ArrayList<>();

  private RedisSentinelSet() {}

  static RedisSentinelSet start() {
    RedisSentinelSet set = new RedisSentinelSet();
    for (int i = 0; i < 2; i++) {
      set.servers.add(RedisProcess.start("--repl-diskless-sync-delay", "0"));
    }
    RedisProcess master = set.servers.get(0);
    follow(set.servers.get(1), master);
    for (int i = 0; i < 3; i++) {
      set.sentinels.add(RedisProcess.startFrom(set.file(i, master), "--sentinel"));
    }
    set.awaitHealthy();
    return set;
  }

  private Path file(int number, RedisProcess master) {
    Path file = directory().resolve("sentinel-" + number + ".conf");
    String text =
        """
        sentinel monitor %1$s 127.0.0.1 %2$d 2
        sentinel down-after-milliseconds %1$s 1000
        sentinel failover-timeout %1$s 5000
        """
            .formatted(NAME, master.uri().getPort());
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  BaseMasterSlaveServersConfig<?> configure(Config config) {
    SentinelServersConfig sentinel =
        config.useSentinelServers().setMasterName(NAME).setScanInterval(500);
    sentinels.forEach(one -> sentinel.addSentinelAddress(one.uri().toString()));
    return sentinel;
  }

  @Override
  List<RedisProcess> dataServers() {
    return servers;
  }

  @Override
  List<RedisProcess> servers() {
    List<RedisProcess> all = new ArrayList<>(servers);
    all.addAll(sentinels);
    return all;
  }

  @Override
  RedisProcess master(String name) {
    List<?> address = (List<?>) sentinels.get(0).call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
    int port = Integer.parseInt((String) address.get(1));
    return servers.stream().filter(one -> one.uri().getPort() == port).findFirst().orElseThrow();
  }

  @Override
  void heal() {
    RedisProcess master = master("");
    for (RedisProcess server : servers) {
      if (!server.isAlive()) {
        server.restart();
        follow(server, master); // a sentinel would take ten seconds over it
      }
    }
    awaitHealthy();
  }

  private static void follow(RedisProcess replica, RedisProcess master) {
    replica.call("REPLICAOF", "127.0.0.1", String.valueOf(master.uri().getPort()));
    until("the replica follows", () -> follows(replica));
  }

  private void awaitHealthy() {
    for (RedisProcess sentinel : sentinels) {
      until(
          "a sentinel knows the others",
          () -> {
            List<?> master = (List<?>) sentinel.call("SENTINEL", "MASTER", NAME);
            List<?> replicas = (List<?>) sentinel.call("SENTINEL", "REPLICAS", NAME);
            return value(master, "flags").equals("master")
                && value(master, "num-other-sentinels").equals("2")
                && replicas.size() == 1
                && value((List<?>) replicas.get(0), "flags").equals("slave");
          });
    }
  }

  private static Object value(List<?> namesAndValues, String name) {
    return namesAndValues.get(namesAndValues.indexOf(name) + 1);
  }
}
