package dev.weir.integration;

import dev.weir.redis.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.connection.CRC16;

/** A cluster of three masters with one replica each. */
final class RedisCluster extends Topology {

  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;

  private final List<RedisProcess> nodes = new ArrayList<>();
  private final Duration scanInterval;

  private RedisCluster(Duration scanInterval) {
    this.scanInterval = scanInterval;
  }

  static RedisCluster start() {
    return start(Duration.ofMillis(500));
  }

  /**
   * Starts a cluster.
   *
   * @param scanInterval how often its clients look who owns which slot
   */
  static RedisCluster start(Duration scanInterval) {
    RedisCluster cluster = new RedisCluster(scanInterval);
    List<String> busPorts = new ArrayList<>();
    for (int i = 0; i < 2 * MASTERS; i++) {
      busPorts.add(String.valueOf(RedisProcess.freePort()));
      cluster.nodes.add(
          RedisProcess.start(
              "--cluster-enabled",
              "yes",
              "--cluster-config-file",
              cluster.directory().resolve("node-" + i + ".conf").toString(),
              "--cluster-node-timeout",
              "1000",
              "--cluster-port",
              busPorts.get(i),
              "--cluster-require-full-coverage",
              "no",
              "--repl-diskless-sync-delay",
              "0"));
    }
    cluster.join(busPorts);
    return cluster;
  }

  private void join(List<String> busPorts) {
    for (int i = 0; i < MASTERS; i++) {
      RedisProcess master = nodes.get(i);
      master.call("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
      String first = String.valueOf(SLOTS * i / MASTERS);
      String last = String.valueOf(SLOTS * (i + 1) / MASTERS - 1);
      master.call("CLUSTER", "ADDSLOTSRANGE", first, last);
    }
    for (int i = 1; i < nodes.size(); i++) {
      String port = String.valueOf(nodes.get(i).uri().getPort());
      nodes.get(0).call("CLUSTER", "MEET", "127.0.0.1", port, busPorts.get(i));
    }
    for (RedisProcess node : nodes) {
      until("all nodes meet", () -> view(node).size() == nodes.size() && ok(node));
    }
    for (int i = 0; i < MASTERS; i++) {
      nodes.get(MASTERS + i).call("CLUSTER", "REPLICATE", id(nodes.get(i)));
    }
    awaitHealthy();
  }

  @Override
  BaseMasterSlaveServersConfig<?> configure(Config config) {
    ClusterServersConfig cluster =
        config.useClusterServers().setScanInterval(Math.toIntExact(scanInterval.toMillis()));
    nodes.forEach(node -> cluster.addNodeAddress(node.uri().toString()));
    return cluster;
  }

  @Override
  List<String[]> moreRights() {
    return List.<String[]>of(LimiterUser.rightsFor("useClusterServers"));
  }

  @Override
  List<RedisProcess> dataServers() {
    return nodes;
  }

  @Override
  RedisProcess master(String name) {
    return owner(slot(name));
  }

  RedisProcess owner(int slot) {
    return masters().stream()
        .filter(master -> slots(master).anyMatch(range -> range[0] <= slot && slot <= range[1]))
        .findFirst()
        .orElseThrow();
  }

  static int slot(String name) {
    return CRC16.crc16(name.getBytes(StandardCharsets.UTF_8)) % SLOTS;
  }

  /** The lowest slot that begins so many that a master owns without a gap. */
  int firstSlotOf(int count, RedisProcess master) {
    return slots(master)
        .filter(range -> range[1] - range[0] >= count - 1)
        .mapToInt(range -> range[0])
        .min()
        .orElseThrow();
  }

  List<RedisProcess> masters() {
    return nodes.stream()
        .filter(RedisProcess::isAlive)
        .filter(node -> info(node, "replication", "role").equals("master"))
        .collect(Collectors.toList());
  }

  static String id(RedisProcess node) {
    return (String) node.call("CLUSTER", "MYID");
  }

  @Override
  void heal() {
    nodes.stream().filter(node -> !node.isAlive()).forEach(RedisProcess::restart);
    awaitHealthy();
  }

  private void awaitHealthy() {
    for (RedisProcess node : nodes) {
      until(
          "three masters and three replicas",
          () -> {
            Map<Boolean, Long> roles =
                view(node).stream()
                    .filter(line -> !line.contains("fail"))
                    .collect(
                        Collectors.partitioningBy(
                            line -> line.contains("master"), Collectors.counting()));
            boolean master = info(node, "replication", "role").equals("master");
            return ok(node)
                && roles.get(true) == MASTERS
                && roles.get(false) == MASTERS
                && (master || follows(node));
          });
    }
  }

  /** The lines about the nodes, as a node sees them. */
  private static List<String> view(RedisProcess node) {
    return String.valueOf(node.call("CLUSTER", "NODES"))
        .lines()
        .filter(line -> !line.contains("handshake"))
        .collect(Collectors.toList());
  }

  private static boolean ok(RedisProcess node) {
    return String.valueOf(node.call("CLUSTER", "INFO")).contains("cluster_state:ok");
  }

  /** The first and last slots of the ranges that a master owns. */
  private static Stream<int[]> slots(RedisProcess master) {
    return view(master).stream()
        .filter(line -> line.contains("myself"))
        .flatMap(line -> Arrays.stream(line.split(" ")).skip(8))
        .filter(range -> !range.startsWith("[")) // a slot on its way
        .map(range -> Arrays.stream(range.split("-")).mapToInt(Integer::parseInt).toArray())
        .map(ends -> new int[] {ends[0], ends[ends.length - 1]});
  }
}
