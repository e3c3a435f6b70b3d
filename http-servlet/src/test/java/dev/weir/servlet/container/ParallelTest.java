package dev.weir.servlet.container;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryFixedWindow;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemoryTokenBucket;
import dev.weir.servlet.Limiters.StandingClock;
import dev.weir.servlet.RateLimitFilter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("container")
class ParallelTest {

  private static final int CLIENTS = 64;

  @Test // CVE-2026-133312: a look before the take, and what comes between passes
  void ofSixtyFourClientsAtOnceExactlyAsManyPassAsTheLimitSays() throws Exception {
    Duration window = Duration.ofMinutes(1);
    InMemoryOptions options = InMemoryOptions.defaults().withClock(new StandingClock());
    for (RateLimiter limiter :
        List.of(
            standing(5, window),
            InMemoryFixedWindow.create(FixedWindowPolicy.of(5, window), options),
            InMemoryTokenBucket.create(TokenBucketPolicy.of(5, 5, window), options))) {
      Server.Ok servlet = new Server.Ok();
      try (Server server = Server.with(RateLimitFilter.builder(limiter).build(), servlet)) {
        List<Integer> statuses = atOnce(server);

        assertThat(statuses).hasSize(CLIENTS).containsOnly(200, 429);
        assertThat(statuses.stream().filter(status -> status == 200)).hasSize(5);
        assertThat(servlet.served).hasValue(5);
      }
    }
  }

  private static List<Integer> atOnce(Server server) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      CountDownLatch ready = new CountDownLatch(CLIENTS);
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        answers.add(
            clients.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return server.get("/").status();
                }));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> answer : answers) {
        statuses.add(answer.get());
      }
      return statuses;
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void theStreamsOfOneHttp2ConnectionAreLimitedLikeAnyOtherRequest() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(6, Duration.ofMinutes(1))).name("api").build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
      HttpRequest request = HttpRequest.newBuilder(server.uri("/")).build();
      HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
      assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(first.headers().firstValue("ratelimit")).contains("\"api\";r=5;t=60");

      List<HttpResponse<String>> answers = new ArrayList<>();
      List<CompletableFuture<HttpResponse<String>>> flying = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        flying.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : flying) {
        answers.add(answer.join());
      }

      assertThat(answers).allMatch(answer -> answer.version() == HttpClient.Version.HTTP_2);
      assertThat(answers.stream().filter(answer -> answer.statusCode() == 200)).hasSize(5);
      assertThat(answers.stream().filter(answer -> answer.statusCode() == 429))
          .hasSize(CLIENTS - 5)
          .allSatisfy(
              answer -> {
                assertThat(answer.headers().firstValue("retry-after")).contains("60");
                assertThat(answer.body()).contains("quota-exceeded");
              });
    }
  }

  @Test
  void aKeptAliveConnectionServesOnAfterADenial() throws Exception {
    RateLimitFilter filter =
        RateLimitFilter.builder(standing(1, Duration.ofMinutes(1))).paths("/limited").build();
    try (Server server = Server.with(filter, new Server.Ok())) {
      String keep = "GET /limited HTTP/1.1\r\nHost: localhost\r\n\r\n";
      String last = "GET /free HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      Answer all = raw(server, keep + keep + last);
      assertThat(all.body())
          .contains("HTTP/1.1 429")
          .contains("quota-exceeded")
          .containsOnlyOnce("HTTP/1.1 200");
    }
  }

  private static Answer raw(Server server, String requests) throws IOException {
    Answer all = server.raw(requests);
    assertThat(all.status()).isEqualTo(200);
    return all;
  }
}
