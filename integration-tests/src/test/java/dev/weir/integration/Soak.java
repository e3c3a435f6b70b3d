package dev.weir.integration;

import static dev.weir.integration.Topology.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.FaultProxy;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.TestRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.api.RedissonClient;

/**
 * Faults at random under load, in turns on one server behind a wire that fails and on a cluster
 * whose masters die; and the figures of what went wrong, all of which have to be zero.
 */
final class Soak {

  private static final RedisOptions OPTIONS =
      RedisOptions.defaults().withTimeout(Duration.ofMillis(250));

  private final Random random;
  private final UnaryOperator<RateLimiter> made;

  private final Map<String, Integer> faults = new TreeMap<>();
  private final Map<String, Long> reasons = new TreeMap<>();
  private int turns;
  private long decided;
  private long failed;
  private long failedButCharged;
  private long failedOfHotKeys;
  private long chargedTwice;
  private long overAdmitted;
  private long withoutTimeToLive;
  private long unreplicated;
  private long forgotten;
  private Duration longestOutage = Duration.ZERO;

  /**
   * Creates a soak.
   *
   * @param seed gives the order of the faults
   * @param made what is made of the limiters before they are asked
   */
  Soak(long seed, UnaryOperator<RateLimiter> made) {
    this.random = new Random(seed);
    this.made = made;
  }

  /** Lets faults happen on one server and on a cluster, in turns, for so many minutes. */
  void run(double minutes, Path directory) {
    long end = System.nanoTime() + (long) (minutes * 60e9);
    try (OneServer server = new OneServer(directory);
        Cluster cluster = new Cluster()) {
      do {
        server.turn(6);
        cluster.turn();
      } while (System.nanoTime() < end);
    }
  }

  /** Lets a few faults happen on one server. */
  void runShortly(Path directory) {
    try (OneServer server = new OneServer(directory)) {
      server.turn(2);
    }
  }

  @Override
  public String toString() {
    return """
        %,d decisions, and %,d calls failed, in %d turns; faults %s
        of %,d failed calls of cold keys %,d were charged, once: %s
        the longest outage of a master that died took %.1f s, its replica had not got %,d decisions
        double charges %d, over-admissions beyond the bound %d, forgotten without cause %d, keys without TTL %d
        """
        .formatted(
            decided,
            failed + failedOfHotKeys,
            turns,
            faults,
            failed,
            failedButCharged,
            reasons,
            longestOutage.toMillis() / 1e3,
            unreplicated,
            chargedTwice,
            overAdmitted,
            forgotten,
            withoutTimeToLive);
  }

  /** Fails if anything went wrong, or nothing was under way. */
  void check() {
    assertThat(chargedTwice).as("double charges").isZero();
    assertThat(overAdmitted).as("over-admissions beyond the bound").isZero();
    assertThat(forgotten).as("decisions forgotten without cause").isZero();
    assertThat(withoutTimeToLive).as("keys without a time to live").isZero();
    assertThat(decided).as("decisions").isPositive();
    assertThat(failed).as("failed calls").isPositive();
  }

  private void count(HotKeys hot, Load.Audit audit) {
    turns++;
    decided += audit.admitted() + hot.decided();
    failedOfHotKeys += hot.failed();
    failed += audit.failed();
    failedButCharged += audit.failedButCharged();
    chargedTwice += audit.chargedTwice();
    audit.reasons().forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
  }

  /** Counts the keys without a time to live on a server, and removes all. */
  private void sweep(RedisProcess server) {
    withoutTimeToLive += keysWithoutTimeToLive(server);
    if (Topology.info(server, "replication", "role").equals("master")) {
      server.call("FLUSHALL", "SYNC");
    }
  }

  static long keysWithoutTimeToLive(RedisProcess server) {
    String keyspace = Topology.info(server, "keyspace", "db0");
    Matcher counts = Pattern.compile("keys=(\\d+),expires=(\\d+),.*").matcher(keyspace);
    return counts.matches()
        ? Long.parseLong(counts.group(1)) - Long.parseLong(counts.group(2))
        : 0; // no key at all
  }

  /** A server that writes what it decides to a file, so that a kill forgets nothing. */
  private final class OneServer implements AutoCloseable {

    private final RedisProcess server;
    private final FaultProxy wire;
    private final RedissonClient redisson;

    OneServer(Path directory) {
      server =
          RedisProcess.start(
              "--appendonly", "yes", "--appendfsync", "no", "--dir", directory.toString());
      wire = new FaultProxy(server.uri());
      redisson = TestRedis.newClient(wire.uri());
    }

    void turn(int count) {
      long lossBegun = Long.MAX_VALUE;
      long lossEnded = Long.MAX_VALUE;
      try (HotKeys hot = HotKeys.start(redisson, OPTIONS, made);
          Load load = Load.start(redisson, OPTIONS, made)) {
        int flushAt = random.nextInt(8);
        for (int i = 0; i < count; i++) {
          load.awaitAdmitted(random.nextInt(50, 300));
          if (i == flushAt) {
            lossBegun = System.nanoTime();
            server.call("FLUSHALL", "SYNC");
            lossEnded = System.nanoTime();
            faults.merge("FLUSHALL", 1, Integer::sum);
          } else {
            fault(load);
          }
        }
        load.awaitAdmitted(200);
        hot.stop();
        Load.Audit audit = load.stop();
        count(hot, audit);
        long begun = lossBegun;
        long ended = lossEnded;
        forgotten += audit.forgottenThatBegan(time -> begun == Long.MAX_VALUE || time > ended);
        overAdmitted = Math.max(overAdmitted, hot.overAdmitted(call -> call.ended() < begun));
        overAdmitted = Math.max(overAdmitted, hot.overAdmitted(call -> call.begun() > ended));
      }
      sweep(server);
    }

    private void fault(Load load) {
      String fault =
          List.of(
                  "SCRIPT FLUSH",
                  "CLIENT KILL",
                  "lost replies",
                  "late replies",
                  "freeze",
                  "restart")
              .get(random.nextInt(6));
      faults.merge(fault, 1, Integer::sum);
      switch (fault) {
        case "SCRIPT FLUSH":
          server.call("SCRIPT", "FLUSH");
          break;
        case "CLIENT KILL":
          server.call("CLIENT", "KILL", "TYPE", "normal");
          break;
        case "lost replies":
          wire.cutReplies();
          load.awaitFailed(random.nextInt(1, 40));
          wire.passReplies();
          break;
        case "late replies":
          wire.holdReplies();
          load.awaitFailed(random.nextInt(1, 40));
          wire.passReplies();
          break;
        case "freeze":
          server.freeze();
          load.awaitFailed(random.nextInt(1, 40));
          server.thaw();
          break;
        default:
          server.kill();
          load.awaitFailed(random.nextInt(1, 40));
          server.restart();
      }
    }

    @Override
    public void close() {
      redisson.shutdown();
      wire.close();
      server.close();
    }
  }

  private final class Cluster implements AutoCloseable {

    private final RedisCluster cluster = RedisCluster.start();
    private final RedissonClient redisson = cluster.newClient();

    void turn() {
      String namespace = TestRedis.freshNamespace();
      RateLimiter probe =
          Algorithm.FIXED_WINDOW.create(
              redisson, 1_000_000, Duration.ofDays(366), OPTIONS.withNamespace(namespace));
      String name = Algorithm.FIXED_WINDOW.name(namespace, "probe");
      try (HotKeys hot = HotKeys.start(redisson, OPTIONS, made);
          Load load = Load.start(redisson, OPTIONS, made)) {
        load.awaitAdmitted(random.nextInt(100, 1_000));
        RedisProcess master = cluster.master(name);
        long replicated = System.nanoTime();
        Topology.confirmReplicated(master, name);
        load.awaitAdmitted(random.nextInt(20));
        master.kill();
        long killed = System.nanoTime();
        faults.merge("master killed", 1, Integer::sum);
        until("the place of the master is taken", () -> probe.tryAcquire("probe").allowed());
        Duration outage = Duration.ofNanos(System.nanoTime() - killed);
        longestOutage = outage.compareTo(longestOutage) > 0 ? outage : longestOutage;
        load.awaitAdmitted(random.nextInt(100, 500));
        cluster.heal();
        load.awaitAdmitted(200);
        hot.stop();
        Load.Audit audit = load.stop();
        count(hot, audit);
        // What was answered between the two times the replica may not have got.
        unreplicated += audit.forgotten();
        forgotten +=
            audit.forgotten()
                - audit.forgottenThatEnded(time -> time > replicated)
                + audit.forgottenThatBegan(time -> time > killed);
        overAdmitted =
            Math.max(
                overAdmitted,
                hot.overAdmitted(call -> call.ended() < replicated || call.begun() > killed));
      }
      cluster.servers().forEach(Soak.this::sweep);
    }

    @Override
    public void close() {
      redisson.shutdown();
      cluster.close();
    }
  }
}
