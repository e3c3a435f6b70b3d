package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisLimiterContract;
import dev.weir.redis.testing.RedisProcess;
import dev.weir.redis.testing.TestRedis;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.redisson.api.RedissonClient;

/** What {@code docs/redis.md} tells about tests and commands is true. */
class RedisGuideTest {

  @Test
  void everyRowOfTheFaultTableNamesTestsAndEachOfThemExists() {
    List<String> rows = faults();

    assertThat(rows).hasSizeGreaterThan(15);
    for (String row : rows) {
      List<String> names = names(row);
      assertThat(names).as("tests named in: %s", row).isNotEmpty();
      assertThat(names).as("in: %s", row).allMatch(name -> exists(name), "exists");
    }
  }

  @Test
  void everyTestOfAFaultStandsInTheTable() {
    String table = String.join("\n", faults());

    assertThat(tests(FaultsTest.class)).isNotEmpty();
    assertThat(tests(FaultsTest.class))
        .allMatch(test -> table.contains("`FaultsTest." + test + "`"), "stands in the table");
  }

  private static List<String> faults() {
    return RedisGuide.section("Faults").stream()
        .dropWhile(line -> !line.startsWith("| fault |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static List<String> names(String row) {
    String[] cells = row.split("\\|");
    return Pattern.compile("`([^`]+)`")
        .matcher(cells[cells.length - 1])
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** Whether a name is that of a class here, of a test in it, or of a test in the contract. */
  private static boolean exists(String name) {
    String[] parts = name.split("\\.");
    if (!parts[0].endsWith("Test")) {
      return tests(RedisLimiterContract.class).contains(name);
    }
    try {
      Class<?> type = Class.forName(RedisGuideTest.class.getPackageName() + "." + parts[0]);
      return parts.length == 1 || tests(type).contains(parts[1]);
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static TreeSet<String> tests(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(
            method ->
                method.isAnnotationPresent(Test.class)
                    || method.isAnnotationPresent(ParameterizedTest.class))
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theCommandsThatLookIntoAStateShowWhatTheirCommentsSay() {
    long micros = 1_800_000_000_000_000L;
    Instant[] now = {Instant.ofEpochSecond(micros / 1_000_000)};
    try (RedisProcess server = RedisProcess.start()) {
      RedissonClient redisson = TestRedis.newClient(server.uri());
      RedisOptions options = Algorithm.patient().withNamespace("api").withClock(() -> now[0]);
      for (Algorithm algorithm : Algorithm.values()) {
        now[0] = Instant.ofEpochSecond(micros / 1_000_000);
        RateLimiter limiter = algorithm.create(redisson, 10, Duration.ofMinutes(1), options);
        assertThat(limiter.tryAcquire("alice", 3).allowed()).isTrue();
        now[0] = now[0].plusSeconds(1);
        assertThat(limiter.tryAcquire("alice", 2).allowed()).isTrue();
      }
      redisson.shutdown();

      Map<String, Object> shown =
          commands()
              .collect(
                  Collectors.toMap(
                      command -> command.get(0) + " " + command.get(command.size() == 4 ? 3 : 1),
                      command -> server.call(command.toArray(String[]::new))));
      long later = micros + 1_000_000;
      String named = " weir1:";
      assertThat(shown.get("EVAL" + named + "fw:api:alice")).isEqualTo(List.of(later, 5L));
      assertThat(shown.get("EVAL" + named + "swc:api:alice"))
          .isEqualTo(List.of(later, 0L, 5L, 60_000_000L));
      assertThat(shown.get("EVAL" + named + "tb:api:alice"))
          .asString()
          .matches("\\[5, \\d+, \\d+, " + later + "]");
      assertThat(shown.get("ZRANGE" + named + "sw:api:alice"))
          .asString()
          .isEqualTo("[0, 0, 3, " + micros + ", 5, " + later + "]");
      assertThat((Long) shown.get("PTTL" + named + "sw:api:alice")).isPositive();
      assertThat(shown).hasSize(5);
    }
  }

  /** The commands of the section, as the shell would hand them to redis-cli. */
  private static Stream<List<String>> commands() {
    return RedisGuide.section("Look into a state").stream()
        .filter(line -> line.startsWith("redis-cli "))
        .map(line -> words(line.substring("redis-cli ".length()).replaceFirst(" +#.*", "")));
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    for (MatchResult word :
        Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(command).results().toList()) {
      words.add(
          Stream.of(word.group(1), word.group(2), word.group(3))
              .filter(text -> text != null)
              .findFirst()
              .orElseThrow());
    }
    return words;
  }
}
