package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/** Only redirects tell a client that a slot has moved: in none of these tests does it look. */
class SlotMigrationTest {

  private static final int SLOTS = 64;

  private static RedisCluster cluster;

  private final RedissonClient redisson = cluster.newClient();

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(Duration.ofHours(1));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void shutDown() {
    redisson.shutdown();
  }

  @Test
  void slotsThatMoveUnderLoadFailNoCallAndLoseNoCharge() {
    RedisProcess from = cluster.masters().get(0);
    RedisProcess to = cluster.masters().get(1);
    int first = cluster.firstSlotOf(SLOTS, from);
    try (Load load =
        Load.startWhere(
            redisson, Algorithm.patient(), name -> isIn(RedisCluster.slot(name), first))) {
      load.awaitAdmitted(500);
      Migration migration = new Migration(from, to, first, SLOTS);
      migration.begin();
      load.awaitAdmitted(200);
      migration.moveKeys();
      load.awaitAdmitted(200); // new keys come into being at the new master, by way of ASK
      migration.moveKeys();
      migration.end();
      load.awaitAdmitted(500);
      Load.Audit audit = load.stop();

      assertThat(migration.moved).as("keys moved").isPositive();
      assertThat(audit.failed()).as("failed: %s", audit).isZero();
      assertThat(audit.forgotten()).as("forgotten").isZero();
      assertThat(audit.chargedTwice()).as("charged twice").isZero();
      Measured.say("%d slots with %d keys moved: %s", SLOTS, migration.moved, audit);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyIsTheSameBeforeDuringAndAfterTheMoveOfItsSlot(Algorithm algorithm) {
    RedisOptions options = Algorithm.patient();
    RateLimiter limiter = algorithm.create(redisson, 10, Duration.ofDays(366), options);
    String name = algorithm.name(options.namespace(), "key");
    RedisProcess from = cluster.master(name);
    RedisProcess to =
        cluster.masters().stream().filter(one -> one != from).findFirst().orElseThrow();
    from.call("CONFIG", "RESETSTAT");
    Migration migration = new Migration(from, to, RedisCluster.slot(name), 1);

    assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(9);
    migration.begin();
    assertThat(limiter.tryAcquire("key").remaining()).as("before it moves").isEqualTo(8);
    migration.moveKeys();
    assertThat(limiter.tryAcquire("key").remaining()).as("by way of ASK").isEqualTo(7);
    assertThat(limiter.peek("key", 1).remaining()).as("by way of ASK").isEqualTo(6);
    migration.end();
    assertThat(limiter.tryAcquire("key").remaining()).as("by way of MOVED").isEqualTo(6);

    assertThat(to.call("EXISTS", name)).isEqualTo(1L);
    assertThat(Topology.info(from, "errorstats", "errorstat_ASK")).startsWith("count=");
    assertThat(Topology.info(from, "errorstats", "errorstat_MOVED")).startsWith("count=");
    limiter.reset("key");
    assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource
  void requestsInOnePipelineAreDecidedOnceEachWhileTheirSlotsMove(Algorithm algorithm) {
    RedisOptions options = Algorithm.patient();
    RateLimiter limiter = algorithm.create(redisson, 10, Duration.ofDays(366), options);
    RedisProcess from = cluster.masters().get(0);
    RedisProcess to = cluster.masters().get(1);
    int first = cluster.firstSlotOf(SLOTS, from);
    List<String> keys =
        IntStream.range(0, 1_000_000)
            .mapToObj(i -> "key" + i)
            .filter(
                key ->
                    key.endsWith("7") // some that stay, on all masters
                        || isIn(RedisCluster.slot(algorithm.name(options.namespace(), key)), first))
            .limit(300)
            .toList();
    Migration migration = new Migration(from, to, first, SLOTS);

    assertThat(remaining(limiter, keys)).as("before").containsOnly(9L);
    migration.begin();
    assertThat(remaining(limiter, keys)).as("before they move").containsOnly(8L);
    migration.moveKeys();
    assertThat(remaining(limiter, keys)).as("by way of ASK").containsOnly(7L);
    migration.end();
    assertThat(remaining(limiter, keys)).as("by way of MOVED").containsOnly(6L);
    assertThat(migration.moved).isGreaterThan(5);
  }

  /**
   * Redisson then asks the other server, and after that the first one again, for all that have no
   * value yet.
   */
  @ParameterizedTest
  @EnumSource
  void aCallWhoseScriptIsGoneIsChargedOnceThoughOthersOfItsPipelineAreRedirected(
      Algorithm algorithm) {
    try (Moved moved = new Moved(algorithm)) {
      moved.from.call("SCRIPT", "FLUSH");

      assertThat(remaining(moved.limiter, moved.keys)).containsOnly(8L);

      assertThat(moved.keys).allMatch(key -> moved.limiter.peek(key, 1).remaining() == 7);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatFailsFailsAloneThoughOthersOfItsPipelineAreRedirected(Algorithm algorithm) {
    try (Moved moved = new Moved(algorithm)) {
      String foreign = moved.staying.get(0);
      String name = algorithm.name(moved.options.namespace(), foreign);
      redisson.getKeys().unlink(name);
      redisson.getList(name).add("other");

      List<CompletableFuture<Decision>> decisions = ask(moved.limiter, moved.keys);

      for (int i = 0; i < moved.keys.size(); i++) {
        CompletableFuture<Decision> decision = decisions.get(i);
        if (moved.keys.get(i).equals(foreign)) {
          assertThatThrownBy(decision::join).hasMessageContaining("WRONGTYPE");
        } else {
          assertThat(decision.join().remaining()).isEqualTo(8);
        }
      }
    }
  }

  /** Keys that have moved, on the way to them by ASK, and keys of the same server that stay. */
  private final class Moved implements AutoCloseable {

    final RedisOptions options = Algorithm.patient();
    final RateLimiter limiter;
    final RedisProcess from = cluster.masters().get(0);
    final List<String> staying;

    /** First those that moved, so that these are in flight when the others wait. */
    final List<String> keys = new ArrayList<>();

    private final Migration migration;

    Moved(Algorithm algorithm) {
      limiter = algorithm.create(redisson, 10, Duration.ofDays(366), options);
      int first = cluster.firstSlotOf(2 * SLOTS, from);
      RedisProcess to = cluster.masters().get(1);
      int other = cluster.firstSlotOf(SLOTS, to);
      staying = keys(algorithm, first + SLOTS, first + 2 * SLOTS, 5);
      List<String> moving = keys(algorithm, first, first + SLOTS, 5);
      keys.addAll(moving);
      keys.addAll(staying);
      assertThat(remaining(limiter, keys)).containsOnly(9L);
      // The other server knows the script.
      limiter.tryAcquire(keys(algorithm, other, other + SLOTS, 1).get(0));
      migration = new Migration(from, to, first, SLOTS);
      migration.begin();
      migration.moveKeys();
    }

    private List<String> keys(Algorithm algorithm, int first, int end, int count) {
      return IntStream.range(0, 1_000_000)
          .mapToObj(i -> "key" + i)
          .filter(
              key -> {
                int slot = RedisCluster.slot(algorithm.name(options.namespace(), key));
                return slot >= first && slot < end;
              })
          .limit(count)
          .toList();
    }

    @Override
    public void close() {
      migration.end();
      limiter.reset(staying.get(0));
    }
  }

  /** Asks for all keys at once, so that most requests leave together. */
  private static List<Long> remaining(RateLimiter limiter, List<String> keys) {
    return ask(limiter, keys).stream().map(decision -> decision.join().remaining()).toList();
  }

  private static List<CompletableFuture<Decision>> ask(RateLimiter limiter, List<String> keys) {
    return keys.stream().map(key -> limiter.tryAcquireAsync(key, 1).toCompletableFuture()).toList();
  }

  private static boolean isIn(int slot, int first) {
    return slot >= first && slot < first + SLOTS;
  }

  /** What a resharding does to some slots, in the steps of redis-cli. */
  private static final class Migration {

    private final RedisProcess from;
    private final RedisProcess to;
    private final List<String> slots = new ArrayList<>();
    private int moved;

    Migration(RedisProcess from, RedisProcess to, int first, int count) {
      this.from = from;
      this.to = to;
      for (int slot = first; slot < first + count; slot++) {
        slots.add(String.valueOf(slot));
      }
    }

    void begin() {
      String source = RedisCluster.id(from);
      String target = RedisCluster.id(to);
      try (RespClient old = new RespClient(from.uri());
          RespClient young = new RespClient(to.uri())) {
        for (String slot : slots) {
          young.call("CLUSTER", "SETSLOT", slot, "IMPORTING", source);
          old.call("CLUSTER", "SETSLOT", slot, "MIGRATING", target);
        }
      }
    }

    void moveKeys() {
      String port = String.valueOf(to.uri().getPort());
      try (RespClient old = new RespClient(from.uri())) {
        for (String slot : slots) {
          List<?> names = (List<?>) old.call("CLUSTER", "GETKEYSINSLOT", slot, "100000");
          for (Object name : names) {
            old.call("MIGRATE", "127.0.0.1", port, (String) name, "0", "5000");
            moved++;
          }
        }
      }
    }

    void end() {
      String target = RedisCluster.id(to);
      List<RedisProcess> told = new ArrayList<>(List.of(to, from));
      cluster.masters().stream().filter(one -> !told.contains(one)).forEach(told::add);
      for (RedisProcess node : told) {
        try (RespClient client = new RespClient(node.uri())) {
          slots.forEach(slot -> client.call("CLUSTER", "SETSLOT", slot, "NODE", target));
        }
      }
    }
  }
}
