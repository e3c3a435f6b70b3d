package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FallbackRateLimiter;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.memory.InMemoryStore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimiterMetersTest {

  private static final SlidingWindowPolicy TWO = SlidingWindowPolicy.of(2, Duration.ofDays(1));

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final RateLimiterMeters meters =
      RateLimiterMeters.of(registry, "api", "sliding-window", "memory");

  private double requests(String outcome) {
    return registry
        .get("weir.requests")
        .tags("namespace", "api", "algorithm", "sliding-window", "store", "memory")
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  private double gauge(String name) {
    return registry
        .get(name)
        .tags("namespace", "api", "algorithm", "sliding-window", "store", "memory")
        .gauge()
        .value();
  }

  @Test
  void requestsAreCountedByOutcomeWhicheverWayTheyAreAsked() {
    RateLimiter limiter = meters.observe(InMemorySlidingWindow.create(TWO));
    assertThat(List.of(requests("admitted"), requests("denied"), requests("unavailable")))
        .containsExactly(0.0, 0.0, 0.0);

    limiter.tryAcquire("a");
    limiter.tryAcquireAsync("a").toCompletableFuture().join();
    limiter.tryAcquire("a");
    limiter.tryAcquireAsync("a").toCompletableFuture().join();
    limiter.tryAcquire("a", 3);
    limiter.peek("a");
    limiter.reset("a");

    assertThat(List.of(requests("admitted"), requests("denied"), requests("unavailable")))
        .containsExactly(2.0, 3.0, 0.0);
  }

  @Test
  void aRequestWithoutAnAnswerIsCountedAndNotTimed() {
    RateLimiter limiter = meters.observe(new Down(new AtomicBoolean(true)));

    assertThatThrownBy(() -> limiter.tryAcquire("a"))
        .isInstanceOf(RateLimiterUnavailableException.class);
    assertThat(limiter.tryAcquireAsync("a")).isCompletedExceptionally();

    assertThat(requests("unavailable")).isEqualTo(2);
    assertThat(registry.get("weir.decision").timer().count()).isZero();
  }

  @Test
  void decisionsAreTimedInNanoseconds() {
    meters.onDecision("a", 1, Decision.admitted(2, 1, Duration.ofDays(1)), 3_000);
    meters.onDecision("a", 1, Decision.denied(2, 0, Duration.ofDays(1), Duration.ofDays(1)), 5_000);

    assertThat(registry.get("weir.decision").timer().count()).isEqualTo(2);
    assertThat(registry.get("weir.decision").timer().totalTime(TimeUnit.NANOSECONDS))
        .isEqualTo(8_000);
  }

  @Test
  void noNumberOfKeysMakesAnotherMeter() {
    InMemoryStore store = InMemoryStore.create();
    RateLimiter limiter =
        meters
            .watchKeys(store, InMemoryStore::keys)
            .observe(
                InMemorySlidingWindow.create(TWO, InMemoryOptions.defaults().withStore(store)));
    List<Meter> before = List.copyOf(registry.getMeters());

    IntStream.range(0, 1_000).forEach(i -> limiter.tryAcquire("key" + i));

    assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(
            registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(tag -> tag.getKey())
                .collect(Collectors.toSet()))
        .isEqualTo(Set.of("namespace", "algorithm", "store", "outcome"));
    assertThat(gauge("weir.keys")).isEqualTo(1_000);
    Reference.reachabilityFence(store);
  }

  @Test
  void theFallbacksStateIsZeroOrOne() {
    AtomicBoolean down = new AtomicBoolean(true);
    FallbackRateLimiter limiter =
        FallbackRateLimiter.builder(new Down(down), FallbackRateLimiter.allowing(TWO))
            .failureThreshold(2)
            .probeInterval(Duration.ofMillis(1))
            .build();
    meters.watchFallback(limiter);

    limiter.tryAcquire("a");
    assertThat(gauge("weir.fallback.open")).isZero();
    limiter.tryAcquire("a");
    assertThat(gauge("weir.fallback.open")).isEqualTo(1);

    down.set(false);
    while (limiter.isOpen()) {
      limiter.tryAcquire("a");
    }
    assertThat(gauge("weir.fallback.open")).isZero();
    Reference.reachabilityFence(limiter);
  }

  @Test
  void prometheusReadsThem() {
    var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var store = InMemoryStore.create();
    var fallback =
        FallbackRateLimiter.builder(
                RateLimiterMeters.of(prometheus, "api", "sliding-window", "memory")
                    .watchKeys(store, InMemoryStore::keys)
                    .observe(
                        InMemorySlidingWindow.create(
                            TWO, InMemoryOptions.defaults().withStore(store))),
                FallbackRateLimiter.denying(TWO))
            .build();
    RateLimiterMeters.of(prometheus, "api", "sliding-window", "memory").watchFallback(fallback);

    for (int i = 0; i < 3; i++) {
      fallback.tryAcquire("a");
    }

    String tags = "algorithm=\"sliding-window\",namespace=\"api\"";
    assertThat(prometheus.scrape().lines())
        .contains(
            "# TYPE weir_requests_total counter",
            "weir_requests_total{" + tags + ",outcome=\"admitted\",store=\"memory\"} 2.0",
            "weir_requests_total{" + tags + ",outcome=\"denied\",store=\"memory\"} 1.0",
            "weir_requests_total{" + tags + ",outcome=\"unavailable\",store=\"memory\"} 0.0",
            "# TYPE weir_decision_seconds summary",
            "weir_decision_seconds_count{" + tags + ",store=\"memory\"} 3",
            "# TYPE weir_keys gauge",
            "weir_keys{" + tags + ",store=\"memory\"} 1.0",
            "# TYPE weir_fallback_open gauge",
            "weir_fallback_open{" + tags + ",store=\"memory\"} 0.0");
    Reference.reachabilityFence(List.of(store, fallback));
  }

  @Test
  void whatThePageShowsCountsAndWatches() {
    SlidingWindowPolicy policy = TWO;
    FallbackRateLimiter fallback =
        FallbackRateLimiter.builder(
                InMemorySlidingWindow.create(policy), FallbackRateLimiter.allowing(policy))
            .build();

    RateLimiterMeters meters = RateLimiterMeters.of(registry, "api", "sliding-window", "memory");
    RateLimiter limiter = meters.observe(InMemorySlidingWindow.create(policy));

    InMemoryStore store = InMemoryStore.create(); // keep it: the registry does not
    meters.watchKeys(store, InMemoryStore::keys);
    meters.watchFallback(fallback);

    limiter.tryAcquire("a");
    assertThat(requests("admitted")).isEqualTo(1);
    assertThat(gauge("weir.keys")).isZero();
    assertThat(gauge("weir.fallback.open")).isZero();
    Reference.reachabilityFence(List.of(store, fallback));
  }

  @Test
  void anEmptyTagIsRefused() {
    assertThatThrownBy(() -> RateLimiterMeters.of(registry, "", "sliding-window", "memory"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("namespace is empty, must have at least 1 character");
    assertThatThrownBy(() -> RateLimiterMeters.of(registry, "api", "", "memory"))
        .hasMessage("algorithm is empty, must have at least 1 character");
    assertThatThrownBy(() -> RateLimiterMeters.of(registry, "api", "sliding-window", ""))
        .hasMessage("store is empty, must have at least 1 character");
  }

  /** A limiter whose store is down while the flag is set. */
  private record Down(AtomicBoolean down) implements RateLimiter {

    @Override
    public Policy policy() {
      return TWO;
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      if (down.get()) {
        throw new RateLimiterUnavailableException("down", new IllegalStateException());
      }
      return Decision.admitted(2, 1, Duration.ofDays(1));
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      try {
        return CompletableFuture.completedStage(tryAcquire(key, permits));
      } catch (RateLimiterUnavailableException e) {
        return CompletableFuture.failedStage(e);
      }
    }

    @Override
    public Decision peek(String key, long permits) {
      return tryAcquire(key, permits);
    }

    @Override
    public void reset(String key) {}
  }
}
