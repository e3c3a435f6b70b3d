package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.SlidingWindowPolicy;
import dev.weir.servlet.ClientAddress;
import dev.weir.spring.WeirProperties.Key;
import dev.weir.spring.WeirProperties.OnUnavailable;
import dev.weir.spring.WeirProperties.PolicyProperties;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Mono;

/** The filter for WebFlux asks without blocking, and goes on when it has the answer. */
class RateLimitWebFilterTest {

  private static final SlidingWindowPolicy TWO = SlidingWindowPolicy.of(2, Duration.ofMinutes(1));
  private static final Decision ADMITTED = Decision.admitted(2, 1, Duration.ofMinutes(1));
  private static final Decision DENIED =
      Decision.denied(2, 0, Duration.ofMillis(1500), Duration.ofMinutes(1));

  private final Pending api = new Pending();
  private final RateLimitWebFilter filter =
      new RateLimitWebFilter(List.of(named("api", api)), ClientAddress.behind("10.0.0.0/8"), 7);
  private final AtomicReference<Thread> passedOn = new AtomicReference<>();

  private static NamedLimiter named(String name, RateLimiter limiter) {
    PolicyProperties properties =
        new PolicyProperties(
            "sliding-window",
            2L,
            Duration.ofMinutes(1),
            null,
            "test",
            List.of("/api/*"),
            Set.of(),
            Key.ADDRESS,
            OnUnavailable.DENY);
    return new NamedLimiter(
        NamedLimiter.http(name, properties, limiter),
        properties,
        Quota.of(2, Duration.ofMinutes(1)),
        "test",
        limiter,
        List.of());
  }

  private static MockServerWebExchange get(String path, String peer, String... forwarded) {
    return MockServerWebExchange.from(
        MockServerHttpRequest.get(path)
            .remoteAddress(new InetSocketAddress(peer, 9))
            .header("x-forwarded-for", forwarded));
  }

  private CompletableFuture<Void> ask(MockServerWebExchange exchange) {
    return filter
        .filter(exchange, e -> Mono.fromRunnable(() -> passedOn.set(Thread.currentThread())))
        .toFuture();
  }

  @Test
  void itReturnsBeforeTheStoreAnswersAndGoesOnOnAThreadThatIsNotTheStores() {
    MockServerWebExchange exchange = get("/api/x", "192.0.2.1");
    CompletableFuture<Void> done = ask(exchange);
    assertThat(done).isNotDone();
    assertThat(passedOn).hasValue(null);

    api.asked.get(0).complete(ADMITTED);

    done.join();
    assertThat(passedOn.get()).isNotEqualTo(Thread.currentThread());
    assertThat(passedOn.get().getName()).startsWith("parallel");
    assertThat(exchange.getResponse().getHeaders().getFirst("RateLimit"))
        .isEqualTo("\"api\";r=1;t=60");
    assertThat(exchange.getResponse().getHeaders().getFirst("X-RateLimit-Remaining"))
        .isEqualTo("1");
  }

  @Test
  void aDenialIsTheProblemOfTheServletFilter() {
    MockServerWebExchange exchange = get("/api/x", "192.0.2.1");
    CompletableFuture<Void> done = ask(exchange);
    api.asked.get(0).complete(DENIED);
    done.join();

    assertThat(passedOn).hasValue(null);
    assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
    assertThat(exchange.getResponse().getHeaders().getFirst("Retry-After")).isEqualTo("2");
    assertThat(exchange.getResponse().getHeaders().getFirst("Cache-Control")).isEqualTo("no-store");
    assertThat(exchange.getResponse().getHeaders().getFirst("Content-Type"))
        .isEqualTo("application/problem+json");
    assertThat(exchange.getResponse().getBodyAsString().block()).contains("#quota-exceeded");
  }

  @Test
  void aStoreWithoutAnAnswerIsATemporaryProblem() {
    MockServerWebExchange exchange = get("/api/x", "192.0.2.1");
    CompletableFuture<Void> done = ask(exchange);
    api.asked.get(0).completeExceptionally(new RateLimiterUnavailableException("away", null));
    done.join();

    assertThat(passedOn).hasValue(null);
    assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
  }

  @Test
  void theClientIsFoundBehindTrustedProxiesOnly() {
    ask(get("/api/x", "10.0.0.1", "6.6.6.6, 192.0.2.2", "10.0.0.2"));
    ask(get("/api/x", "192.0.2.3", "6.6.6.6"));
    assertThat(api.keys).containsExactly("ip4:192.0.2.2", "ip4:192.0.2.3");
  }

  @Test
  void whatNoPolicyCountsPassesAtOnce() {
    assertThat(ask(get("/open", "192.0.2.1"))).isDone();
    MockServerWebExchange preflight =
        MockServerWebExchange.from(
            MockServerHttpRequest.options("/api/x")
                .header("Origin", "https://shop.example")
                .header("Access-Control-Request-Method", "POST"));
    assertThat(ask(preflight)).isDone();
    assertThat(api.asked).isEmpty();
    assertThat(passedOn.get()).isEqualTo(Thread.currentThread());
  }

  @Test
  void policiesAreAskedInTheirOrderUntilOneDenies() {
    Pending login = new Pending();
    Pending last = new Pending();
    CompletableFuture<Void> done =
        new RateLimitWebFilter(
                List.of(named("login", login), named("api", api), named("last", last)),
                ClientAddress.ofPeer(),
                7)
            .filter(get("/api/x", "192.0.2.1"), e -> Mono.empty())
            .toFuture();
    assertThat(api.asked).isEmpty();
    api.answer.complete(DENIED);
    login.asked.get(0).complete(ADMITTED);
    done.join();
    assertThat(api.asked).hasSize(1);
    assertThat(last.asked).isEmpty();
  }

  /** A limiter that answers when the test does, and refuses whatever could block. */
  private static final class Pending implements RateLimiter {
    final List<String> keys = new ArrayList<>();
    final List<CompletableFuture<Decision>> asked = new ArrayList<>();
    final CompletableFuture<Decision> answer = new CompletableFuture<>();

    @Override
    public Policy policy() {
      return TWO;
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      keys.add(key);
      asked.add(answer);
      return answer;
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      throw new UnsupportedOperationException("would block");
    }

    @Override
    public Decision peek(String key, long permits) {
      throw new UnsupportedOperationException("would block");
    }

    @Override
    public void reset(String key) {
      throw new UnsupportedOperationException("would block");
    }
  }
}
