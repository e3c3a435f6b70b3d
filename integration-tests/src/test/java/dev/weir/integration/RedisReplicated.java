package dev.weir.integration;

import dev.weir.redis.testing.RedisProcess;
import java.util.List;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;

/** A master with one replica, which takes its place only when it is told to. */
final class RedisReplicated extends Topology {

  private RedisProcess master;
  private RedisProcess replica;

  private RedisReplicated(RedisProcess master, RedisProcess replica) {
    this.master = master;
    this.replica = replica;
  }

  static RedisReplicated start() {
    RedisReplicated servers = new RedisReplicated(startOne(), startOne());
    servers.follow();
    return servers;
  }

  private static RedisProcess startOne() {
    return RedisProcess.start("--repl-diskless-sync-delay", "0", "--repl-timeout", "5");
  }

  @Override
  BaseMasterSlaveServersConfig<?> configure(Config config) {
    return config
        .useReplicatedServers()
        .addNodeAddress(master.uri().toString(), replica.uri().toString())
        .setScanInterval(500);
  }

  @Override
  List<String[]> moreRights() {
    return List.<String[]>of(LimiterUser.rightsFor("useReplicatedServers"));
  }

  @Override
  List<RedisProcess> dataServers() {
    return List.of(master, replica);
  }

  @Override
  RedisProcess master(String name) {
    return master;
  }

  RedisProcess replica() {
    return replica;
  }

  @Override
  void promote(RedisProcess killed) {
    replica.call("REPLICAOF", "NO", "ONE");
    master = replica;
    replica = killed;
  }

  @Override
  void heal() {
    if (!replica.isAlive()) {
      replica.restart();
    }
    follow();
  }

  private void follow() {
    replica.call("REPLICAOF", "127.0.0.1", String.valueOf(master.uri().getPort()));
    until("the replica follows", () -> follows(replica));
  }
}
