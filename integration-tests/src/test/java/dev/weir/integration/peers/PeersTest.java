package dev.weir.integration.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Violation;
import dev.weir.redis.testing.TestRedis;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;

/** The page on the peers says what a run of the suite on them finds. */
@TestInstance(Lifecycle.PER_CLASS)
class PeersTest {

  static final List<Peer> PEERS =
      List.of(
          Bucket4jLocal.PEER,
          Bucket4jOnRedis.PEER,
          Resilience4j.PEER,
          Guava.PEER,
          RedissonRateLimiters.PEER);

  private static final Path PAGE = Path.of("../docs/peers.md");

  private final Map<Peer, Map<Rule, Optional<Violation>>> results = new LinkedHashMap<>();

  private Map<Rule, Optional<Violation>> results(Peer peer) {
    return results.computeIfAbsent(peer, Stand::run);
  }

  @ParameterizedTest
  @FieldSource("PEERS")
  void everyFeatureIsDeclaredOrSaidNotToBeOffered(Peer peer) {
    Set<Feature> declared = peer.declared();
    assertThat(declared).doesNotContainAnyElementsOf(peer.notOffered().keySet());
    declared.addAll(peer.notOffered().keySet());
    assertThat(declared).containsExactlyInAnyOrder(Feature.values());
  }

  @ParameterizedTest
  @FieldSource("PEERS")
  void onlyRulesThatAreBrokenHaveARemarkAndAllOfThem(Peer peer) {
    Set<Rule> broken = EnumSet.noneOf(Rule.class);
    results(peer)
        .forEach(
            (rule, violation) -> {
              if (violation.isPresent()) {
                broken.add(rule);
              }
            });
    assertThat(peer.remarks().keySet()).containsExactlyInAnyOrderElementsOf(broken);
  }

  @Test
  void aNegativeRequestAddsPermitsToResilience4jAsItsRemarkSays() {
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitForPeriod(5)
            .limitRefreshPeriod(Duration.ofDays(1))
            .timeoutDuration(Duration.ZERO)
            .build();
    RateLimiter limiter = RateLimiter.of("negative", config);
    assertThat(limiter.acquirePermission(-3)).isTrue();
    assertThat(limiter.acquirePermission(8)).isTrue();
    assertThat(limiter.acquirePermission(1)).isFalse();
  }

  @Test
  void aNegativeRequestAddsPermitsToRedissonAsItsRemarkSays() {
    RRateLimiter limiter = TestRedis.redisson().getRateLimiter(TestRedis.freshNamespace());
    try {
      limiter.trySetRate(RateType.OVERALL, 5, Duration.ofDays(1));
      assertThat(limiter.tryAcquire(-3)).isTrue();
      assertThat(limiter.tryAcquire(5)).isTrue();
      assertThat(limiter.tryAcquire(3)).isTrue();
      assertThat(limiter.tryAcquire(1)).isFalse();
    } finally {
      limiter.delete();
    }
  }

  @Test
  void thePageSaysWhatARunFinds() throws IOException {
    Map<Peer, Map<Rule, Optional<Violation>>> all = new LinkedHashMap<>();
    PEERS.forEach(peer -> all.put(peer, results(peer)));
    String page = PeersPage.of(all);
    if (Boolean.getBoolean("weir.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as(
            "%s, which is written by: mvn -pl integration-tests -am test"
                + " -Dtest=PeersTest -Dsurefire.failIfNoSpecifiedTests=false -Dweir.write=true",
            PAGE)
        .isEqualTo(page);
  }
}
