package dev.weir.integration;

import static dev.weir.integration.Topology.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/** By the server's clock: no key stays for ever, and none goes before it has lost its meaning. */
class TtlTest {

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 7200000",
    "SLIDING_WINDOW, 3600000",
    "SLIDING_WINDOW_COUNTER, 7200000",
    "TOKEN_BUCKET, 1800000"
  })
  void aKeyLivesForTheDocumentedTimeAfterAnAdmission(Algorithm algorithm, long millis) {
    RedisOptions options = Algorithm.patient();
    RateLimiter limiter = algorithm.create(TestRedis.redisson(), 10, Duration.ofHours(1), options);
    assertThat(limiter.tryAcquire("key", 5).allowed()).isTrue();
    try (RespClient redis = new RespClient(TestRedis.uri())) {
      long ttl = redis.number("PTTL", algorithm.name(options.namespace(), "key"));
      assertThat(ttl).isBetween(millis - 60_000, millis);
    }
    limiter.reset("key");
  }

  @ParameterizedTest
  @EnumSource
  void anIdleKeyGoesByItself(Algorithm algorithm) {
    RedisOptions options = Algorithm.patient();
    RateLimiter limiter =
        algorithm.create(TestRedis.redisson(), 5, Duration.ofMillis(100), options);
    assertThat(limiter.tryAcquire("key", 5).allowed()).isTrue();
    try (RespClient redis = new RespClient(TestRedis.uri())) {
      String name = algorithm.name(options.namespace(), "key");
      until("the key is gone", () -> redis.number("EXISTS", name) == 0);
    }
    assertThat(limiter.tryAcquire("key", 5).allowed()).isTrue();
  }

  @Test
  void noKeyEverHasNoTimeToLiveUnderLoadAndFaults() {
    try (RedisProcess server = RedisProcess.start();
        RespClient redis = new RespClient(server.uri())) {
      RedissonClient redisson = TestRedis.newClient(server.uri());
      try (Load load = Load.start(redisson)) {
        long looks = 0;
        for (int i = 0; i < 20; i++) {
          load.awaitAdmitted(50);
          redis.call("SCRIPT", "FLUSH");
          redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
          String keyspace = redis.info("keyspace", "db0");
          if (keyspace != null) {
            looks++;
            assertThat(keyspace).matches("keys=(\\d+),expires=\\1,.*");
          }
        }
        assertThat(looks).isPositive();
        Load.Audit audit = load.stop();
        assertThat(redis.info("keyspace", "db0")).matches("keys=(\\d+),expires=\\1,.*");
        assertThat(audit.chargedTwice()).isZero();
      } finally {
        redisson.shutdown();
      }
    }
  }
}
