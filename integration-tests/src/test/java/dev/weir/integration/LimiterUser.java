package dev.weir.integration;

import dev.weir.redis.testing.RedisProcess;
import java.util.List;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The user with the rights that {@code docs/redis.md} tells to give. */
final class LimiterUser {

  static final String NAME = "weir";
  static final String PASSWORD = "password";

  private LimiterUser() {}

  /** The command of the documentation that makes the user, as it stands there. */
  static String[] rights() {
    return documented("ACL SETUSER " + NAME + " on ");
  }

  /** The command of the documentation that gives the user a right more, for some client. */
  static String[] rightsFor(String client) {
    return documented("ACL SETUSER " + NAME + " +", "for " + client);
  }

  private static String[] documented(String start, String... words) {
    return RedisGuide.lines().stream()
        .filter(line -> line.startsWith(start) && Stream.of(words).allMatch(line::contains))
        .map(line -> line.replaceFirst(" *#.*", "").replace("<password>", PASSWORD).split(" "))
        .findFirst()
        .orElseThrow();
  }

  /** The commands that it may run. */
  static List<String> commands() {
    return Stream.of(rights())
        .filter(right -> right.startsWith("+"))
        .map(right -> right.substring(1))
        .toList();
  }

  /**
   * A client of that user, with Redisson's cache of scripts or without, as its users may set it.
   */
  static RedissonClient newClient(RedisProcess server, boolean scriptCache) {
    Config config =
        new Config().setUsername(NAME).setPassword(PASSWORD).setUseScriptCache(scriptCache);
    config
        .useSingleServer()
        .setAddress(server.uri().toString())
        .setConnectionMinimumIdleSize(1)
        .setSubscriptionConnectionMinimumIdleSize(0)
        .setRetryAttempts(0); // of connecting, for who is refused
    return Redisson.create(config);
  }
}
