package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.RespClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;

/** The rights that docs/redis.md tells to give a limiter's user are enough, and none too many. */
class AclTest {

  private static RedisProcess server;
  private static RespClient admin;
  private static List<RedissonClient> clients;

  @BeforeAll
  static void start() {
    server = RedisProcess.start();
    admin = new RespClient(server.uri());
    admin.call(LimiterUser.rights());
    clients = List.of(LimiterUser.newClient(server, true), LimiterUser.newClient(server, false));
  }

  @AfterAll
  static void stop() {
    clients.forEach(RedissonClient::shutdown);
    admin.close();
    server.close();
  }

  @BeforeEach
  void allow() {
    admin.call(LimiterUser.rights());
    admin.call("ACL", "LOG", "RESET");
  }

  @Test
  void allThatALimiterDoesIsAllowed() {
    useAll();

    assertThat(refused()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.integration.LimiterUser#commands")
  void eachCommandIsNeeded(String command) {
    admin.call("ACL", "SETUSER", LimiterUser.NAME, "-" + command);
    try {
      if (command.equals("ping")) {
        LimiterUser.newClient(server, true);
      }
      useAll();
    } catch (RateLimiterUnavailableException | RedisConnectionException e) {
      // As it should; which command was refused says the server.
    }

    assertThat(refused()).contains(command);
  }

  @Test
  void nothingElseIsAllowed() {
    try (RespClient user = new RespClient(server.uri(LimiterUser.NAME, LimiterUser.PASSWORD))) {
      for (String other :
          List.of(
              "GET another",
              "SET weir2:x y",
              "DEL weir1:fw:a:b",
              "FLUSHALL",
              "CONFIG GET maxmemory",
              "KEYS *",
              "ACL LIST",
              "SUBSCRIBE channel",
              "SCRIPT FLUSH")) {
        assertThatThrownBy(() -> user.call(other.split(" ")))
            .as(other)
            .hasMessageStartingWith("NOPERM");
      }
    }
  }

  @Test
  void aUserWithoutTheKeysIsUnavailableAndIsNotToldThem() {
    admin.call("ACL", "SETUSER", LimiterUser.NAME, "resetkeys");
    RateLimiter limiter =
        Algorithm.TOKEN_BUCKET.create(clients.get(0), 1, Duration.ofDays(1), Algorithm.patient());

    assertThatThrownBy(() -> limiter.tryAcquire(Load.SECRET))
        .isInstanceOf(RateLimiterUnavailableException.class)
        .hasMessageEndingWith(": NOPERM")
        .satisfies(e -> assertThat(LogRecorder.text(e)).doesNotContain(Load.SECRET));
  }

  /** Takes every path through the scripts and the client. */
  private static void useAll() {
    for (RedissonClient redisson : clients) {
      for (Algorithm algorithm : Algorithm.values()) {
        Instant[] now = {Instant.ofEpochSecond(1_700_000_000)};
        RedisOptions options = Algorithm.patient();
        RateLimiter onServerTime = algorithm.create(redisson, 10, Duration.ofMinutes(1), options);
        RateLimiter limiter =
            algorithm.create(redisson, 10, Duration.ofMinutes(1), options.withClock(() -> now[0]));
        admin.call("SCRIPT", "FLUSH");
        onServerTime.tryAcquire("by the server's time");
        onServerTime.peek("by the server's time");
        limiter.tryAcquire("key", 2);
        limiter.tryAcquire("key", 2); // in the same microsecond
        now[0] = now[0].plusSeconds(1);
        limiter.tryAcquire("key", 3);
        limiter.tryAcquire("key", 9); // denied, with a wait for several
        now[0] = now[0].plusSeconds(300);
        limiter.tryAcquire("key"); // removes what is expired
        now[0] = now[0].minusSeconds(300);
        limiter.tryAcquire("key"); // re-based
        limiter.reset("key");
      }
    }
  }

  /** The commands that were refused. */
  private static List<String> refused() {
    return ((List<?>) admin.call("ACL", "LOG"))
        .stream()
            .map(entry -> (List<?>) entry)
            .filter(entry -> value(entry, "reason").equals("command"))
            .map(entry -> value(entry, "object"))
            .toList();
  }

  private static String value(List<?> namesAndValues, String name) {
    return String.valueOf(namesAndValues.get(namesAndValues.indexOf(name) + 1));
  }
}
