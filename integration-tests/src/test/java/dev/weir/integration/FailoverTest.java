package dev.weir.integration;

import static dev.weir.integration.Topology.confirmReplicated;
import static dev.weir.integration.Topology.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;

class FailoverTest {

  static Stream<Arguments> topologies() {
    return Stream.of(
        Arguments.of("cluster", (Supplier<Topology>) RedisCluster::start),
        Arguments.of("sentinels", (Supplier<Topology>) RedisSentinelSet::start),
        Arguments.of("replica promoted by hand", (Supplier<Topology>) RedisReplicated::start));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("topologies")
  void aMasterKilledUnderLoadCostsOnlyWhatItsReplicaHadNotGot(
      String what, Supplier<Topology> start) {
    try (Topology servers = start.get()) {
      RedissonClient redisson = servers.newClient();
      RedisOptions options = RedisOptions.defaults().withNamespace(TestRedis.freshNamespace());
      RateLimiter probe =
          Algorithm.SLIDING_WINDOW.create(redisson, 1_000_000, Duration.ofDays(1), options);
      String name = Algorithm.SLIDING_WINDOW.name(options.namespace(), "probe");
      try (Load load = Load.start(redisson)) {
        load.awaitAdmitted(1_000);
        RedisProcess master = servers.master(name);
        long replicated = System.nanoTime();
        confirmReplicated(master, name);
        long killed = System.nanoTime();
        master.kill();
        servers.promote(master);
        until("the place of the master is taken", () -> probe.tryAcquire("probe").allowed());
        long recovered = System.nanoTime();
        load.awaitAdmitted(1_000);
        Load.Audit audit = load.stop();

        assertThat(audit.chargedTwice()).as("charged twice").isZero();
        assertThat(audit.forgottenThatEnded(time -> time < replicated))
            .as("forgotten though the replica had got them")
            .isZero();
        assertThat(audit.forgottenThatBegan(time -> time > recovered))
            .as("forgotten though asked when all was well again")
            .isZero();
        Measured.say(
            "%s, master killed: next success after %.1f s, last failure after %.1f s; %s",
            what, (recovered - killed) / 1e9, audit.failingSince(killed).toMillis() / 1e3, audit);
      } finally {
        redisson.shutdown();
      }
    }
  }

  @Test
  void aFailoverAdmitsOnlyUnreplicatedDecisionsAgainAndWhatTheClockDifferenceFrees() {
    int limit = 100;
    int replicated = 40;
    int unreplicated = 25;
    Instant now = Instant.ofEpochSecond(1_000_000_020);
    RedisOptions options = Algorithm.patient();
    try (RedisReplicated servers = RedisReplicated.start()) {
      RedisProcess old = servers.master("");
      RedissonClient oldClient = TestRedis.newClient(old.uri());
      RedissonClient newClient = TestRedis.newClient(servers.replica().uri());
      try {
        Map<Algorithm, RateLimiter> before = new EnumMap<>(Algorithm.class);
        for (Algorithm algorithm : Algorithm.values()) {
          Policy policy = algorithm.policy(limit, Duration.ofMinutes(1));
          before.put(algorithm, algorithm.create(oldClient, policy, options.withClock(() -> now)));
        }
        List<Integer> jumps = List.of(0, 30, 60, 150);
        for (RateLimiter limiter : before.values()) {
          jumps.forEach(jump -> assertThat(admitted(limiter, jump, replicated)).isEqualTo(40));
        }
        confirmReplicated(old, "marker");
        servers.promote(old);
        for (RateLimiter limiter : before.values()) {
          jumps.forEach(jump -> assertThat(admitted(limiter, jump, unreplicated)).isEqualTo(25));
        }
        old.kill();

        for (Algorithm algorithm : Algorithm.values()) {
          Policy policy = algorithm.policy(limit, Duration.ofMinutes(1));
          for (int jump : jumps) {
            Instant ahead = now.plusSeconds(jump);
            RateLimiter after = algorithm.create(newClient, policy, options.withClock(() -> ahead));
            long admitted = replicated + unreplicated + admitted(after, jump, 1_000);
            Duration atOnceAndJump = Duration.ofNanos(1_000).plusSeconds(jump);
            assertThat(admitted)
                .as("%s, clock ahead by %d s", algorithm, jump)
                .isLessThanOrEqualTo(policy.admissionBound(atOnceAndJump) + unreplicated)
                .isGreaterThanOrEqualTo(limit + unreplicated);
            if (jump == 0) {
              assertThat(admitted).as("%s", algorithm).isEqualTo(limit + unreplicated);
            }
          }
        }
      } finally {
        oldClient.shutdown();
        newClient.shutdown();
      }
    }
  }

  private static long admitted(RateLimiter limiter, int key, int requests) {
    long admitted = 0;
    for (int i = 0; i < requests && limiter.tryAcquire("key" + key).allowed(); i++) {
      admitted++;
    }
    return admitted;
  }
}
