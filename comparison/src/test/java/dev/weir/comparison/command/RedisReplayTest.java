package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.Quota;
import dev.weir.comparison.Benchmark;
import dev.weir.comparison.Comparison;
import dev.weir.comparison.Result;
import dev.weir.comparison.Scenario;
import dev.weir.comparison.Trace;
import dev.weir.comparison.TraceFormat;
import dev.weir.comparison.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;

/**
 * Replays on a real server: the one that {@code WEIR_TEST_REDIS} names, or else the embedded one.
 */
@Tag("long")
class RedisReplayTest {

  private static RedisConnection connection;

  @BeforeAll
  static void connect() throws IOException {
    String given = System.getenv("WEIR_TEST_REDIS");
    connection = RedisConnection.open("embedded".equals(given) ? null : given);
    System.out.println("comparison tests run on " + connection.description());
  }

  @AfterAll
  static void disconnect() {
    connection.close();
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void bothStoresAgreeOnEveryScenarioAndHaveTheSameFigures(Scenario scenario) {
    Quota quota = Quota.parse("20/60s");
    List<Result> results = compare(scenario.trace(quota, 1), quota);
    assertThat(results).hasSize(8);
    for (int i = 0; i < 8; i += 2) {
      assertThat(results.get(i).store()).isEqualTo("memory");
      assertThat(results.get(i + 1).store()).isEqualTo("redis");
      assertThat(withoutCost(results.get(i + 1))).isEqualTo(results.get(i));
      assertThat(results.get(i + 1).stateBytes()).isNotNull();
      assertThat(results.get(i + 1).retryAfter().honest())
          .isEqualTo(results.get(i + 1).retryAfter().told());
    }
  }

  @Test
  void bothStoresAgreeOnManyKeysWithWeightsInFewSeconds() {
    Random random = new Random(7);
    Trace.Builder builder = Trace.builder("random");
    Instant time = Instant.parse("2026-01-01T00:00:00Z");
    for (int i = 0; i < 10_000; i++) {
      time = time.plusNanos(1_000L * random.nextInt(100_000));
      builder.add(time, "key" + random.nextInt(200), 1 + random.nextInt(4));
    }
    Quota quota = Quota.parse("3/2s");
    for (Result result : compare(builder.build(), quota)) {
      assertThat(result.offered()).isEqualTo(10_000);
      assertThat(result.denied()).isPositive();
    }
  }

  @Test
  void costsAreThoseOfTheDecisionsAlone() {
    Quota quota = Quota.parse("100/60s");
    List<Result> results = compare(Scenario.STEADY.trace(quota, 1), quota);
    // Nothing is denied: one GET and one SET each.
    assertThat(results.get(1).commandsPerDecision()).isEqualTo(2.0);
    assertThat(results.get(5).commandsPerDecision()).isEqualTo(2.0);
    assertThat(results.get(7).commandsPerDecision()).isEqualTo(2.0);
    assertThat(results.get(0).commandsPerDecision()).isNull();
    results = compare(Scenario.HERD.trace(quota, 1), quota);
    // 300 admissions with a GET and a SET, 1,200 denials with a GET; 2,400 peeks do not count.
    assertThat(results.get(1).commandsPerDecision()).isEqualTo(1.2);
    assertThat(results.get(7).commandsPerDecision()).isEqualTo(1.2);
  }

  @Test
  void decisionsGoOutInBatches() {
    Quota quota = Quota.parse("100/60s");
    Trace.Builder builder = Trace.builder("many keys");
    for (int i = 0; i < 4_000; i++) {
      builder.add(Instant.EPOCH.plusMillis(i), "key" + i % 1_000, 1);
    }
    long reads = serverReads();
    Comparison.of(builder.build())
        .with(quota)
        .with(RedissonClient.class, connection.client())
        .algorithms(List.of("fixed-window"))
        .run();
    assertThat(serverReads() - reads)
        .as("reads of the server for 4,000 decisions")
        .isLessThan(2_000);
  }

  /** How often the server has read from a connection, whatever it got. */
  private static long serverReads() {
    return Long.parseLong(
        connection
            .client()
            .getRedisNodes(RedisNodes.SINGLE)
            .getInstance()
            .info(RedisNode.InfoSection.STATS)
            .get("total_reads_processed"));
  }

  @Test
  void aBenchmarkMeasuresTheFloorAndThePeersOnTheSameServer() {
    List<String> before = keys();
    Benchmark benchmark =
        new Benchmark(
            Quota.parse("1000/1s"),
            List.of("fixed-window", "token-bucket"),
            List.of("redis"),
            List.of(1, 3),
            5,
            Duration.ofMillis(20),
            true);
    List<String> told = new ArrayList<>();
    List<Benchmark.Measurement> measured =
        benchmark.run(
            Optional.of(connection.client()), (what, done, total) -> told.add(done + "/" + total));
    assertThat(measured)
        .extracting(each -> each.subject() + " " + each.threads() + (each.peer() ? " peer" : ""))
        .containsExactly(
            "empty script 1 peer",
            "empty script 3 peer",
            "fixed-window 1",
            "fixed-window 3",
            "token-bucket 1",
            "token-bucket 3",
            "Redisson RRateLimiter 1 peer",
            "Redisson RRateLimiter 3 peer",
            "Bucket4j 1 peer",
            "Bucket4j 3 peer");
    assertThat(measured)
        .allSatisfy(
            each -> {
              assertThat(each.decisions()).isPositive();
              assertThat(each.ofFloor().orElseThrow()).isPositive();
              assertThat(each.p50Micros()).isPositive().isLessThanOrEqualTo(each.p999Micros());
            });
    assertThat(measured.get(0).ofFloor()).hasValue(1);
    assertThat(told).hasSize(60).startsWith("0/60").endsWith("59/60");
    assertThat(keys()).isEqualTo(before);
  }

  @Test
  void noKeyStaysBehind() {
    Quota quota = Quota.parse("5/1s");
    List<String> before = keys();
    compare(Scenario.ADVERSARY.trace(quota, 1), quota);
    assertThat(keys()).isEqualTo(before);
  }

  @Test
  void theLogGivesTheKnownValuesOnBothStores() throws IOException {
    Path log = data("nasa-1995-08-01.log.gz");
    try (Trace trace = TraceReader.of(TraceFormat.AUTO).read(log)) {
      assertThat(trace.facts().events()).isEqualTo(30_969);
      assertThat(trace.facts().keys()).isEqualTo(2_365);
      assertThat(trace.facts().skipped()).isZero();
      assertThat(trace.facts().outOfOrder()).isZero();
      assertThat(figures(compare(trace, Quota.parse("10/10s"))))
          .containsExactly(
              "fixed-window 30927 42 16 60 0 4143",
              "sliding-window 30871 98 10 0 0 3949",
              "sliding-window-counter 30877 92 13 23 21 2369",
              "token-bucket 30964 5 17 98 0 1000");
      List<Result> results = compare(trace, Quota.parse("10/60s"));
      assertThat(figures(results))
          .containsExactly(
              "fixed-window 30434 535 20 643 0 19669",
              "sliding-window 29954 1015 10 0 0 22347",
              "sliding-window-counter 30086 883 16 295 203 13689",
              "token-bucket 30793 176 19 1067 0 2977");
      assertThat(results.get(0).worstWindow().key()).isEqualTo("host0318");
    }
  }

  /** Returns the figures of each algorithm, after checking that both stores have the same. */
  private static List<String> figures(List<Result> results) {
    List<String> figures = new ArrayList<>();
    for (int i = 0; i < results.size(); i += 2) {
      Result result = results.get(i);
      assertThat(withoutCost(results.get(i + 1))).isEqualTo(result);
      assertThat(result.retryAfter().honest()).isEqualTo(result.denied());
      assertThat(result.retryAfter().tight()).isEqualTo(result.denied());
      figures.add(
          "%s %d %d %d %d %d %d"
              .formatted(
                  result.algorithm(),
                  result.admitted(),
                  result.denied(),
                  result.worstWindow().count(),
                  result.overAdmissions(),
                  result.falseDenials(),
                  result.retryAfter().meanToldMillis()));
    }
    return figures;
  }

  /** The data lies outside the product: beside the repository, or where {@code weir.data} says. */
  private static Path data(String name) {
    Path file = Path.of(System.getProperty("weir.data", "../../shared/data")).resolve(name);
    assumeTrue(
        Files.exists(file),
        () -> "skipped: there is no " + file + ", say -Dweir.data=FOLDER to test with it");
    return file;
  }

  private static List<Result> compare(Trace trace, Quota quota) {
    return Comparison.of(trace)
        .with(quota)
        .with(RedissonClient.class, connection.client())
        .run()
        .results();
  }

  /** Returns the result as if it were of memory, whose costs nobody measures. */
  private static Result withoutCost(Result result) {
    return new Result(
        result.algorithm(),
        "memory",
        result.offered(),
        result.admitted(),
        result.denied(),
        result.deniedKeys(),
        result.worstWindow(),
        result.overAdmissions(),
        result.falseDenials(),
        result.retryAfter(),
        null,
        null,
        result.persistence());
  }

  private static List<String> keys() {
    List<String> keys = new ArrayList<>();
    connection.client().getKeys().getKeys().forEach(keys::add);
    keys.sort(null);
    return keys;
  }
}
