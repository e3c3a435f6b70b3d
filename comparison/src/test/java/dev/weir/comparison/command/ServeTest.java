package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RedissonClient;

class ServeTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final ProviderContext context =
      ProviderContext.of("serve-test-" + UUID.randomUUID()).withClock(now::get);
  private final HttpClient client = HttpClient.newHttpClient();

  private PingServer server(String algorithm) throws IOException {
    return PingServer.start("127.0.0.1", 0, limit("memory", algorithm), context);
  }

  private static PingServer.Limit limit(String store, String algorithm) {
    return new PingServer.Limit(store, algorithm, Quota.of(5, Duration.ofSeconds(10)));
  }

  private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> ping(PingServer server) throws IOException, InterruptedException {
    return get(server.uri().resolve(PingServer.PING));
  }

  private JsonNode state(PingServer server) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(get(server.uri().resolve("/state")).body());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse(null);
  }

  private void advance(Duration step) {
    now.updateAndGet(time -> time.plus(step));
  }

  /** The sixth call is told how long to wait, and a second earlier it is still denied. */
  private void assertTheSixthIsDeniedUntilRetryAfterIsOver(PingServer server) throws Exception {
    for (int left = 4; left >= 0; left--) {
      HttpResponse<String> admitted = ping(server);
      assertThat(admitted.statusCode()).isEqualTo(200);
      assertThat(admitted.body()).isEqualTo("pong\n");
      assertThat(header(admitted, "X-RateLimit-Limit")).isEqualTo("5");
      assertThat(header(admitted, "X-RateLimit-Remaining")).isEqualTo(Integer.toString(left));
      assertThat(header(admitted, "X-RateLimit-Reset")).isEqualTo("10");
      assertThat(header(admitted, "RateLimit-Policy")).isEqualTo("\"sliding-window\";q=5;w=10");
      assertThat(header(admitted, "RateLimit")).isEqualTo("\"sliding-window\";r=" + left + ";t=10");
    }
    HttpResponse<String> denied = ping(server);
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
    assertThat(denied.body()).contains("#quota-exceeded").contains("[\"sliding-window\"]");
    Duration told = Duration.ofSeconds(Long.parseLong(header(denied, "Retry-After")));
    advance(told.minusSeconds(1));
    assertThat(ping(server).statusCode()).isEqualTo(429);
    advance(Duration.ofSeconds(1));
    assertThat(ping(server).statusCode()).isEqualTo(200);
  }

  @Test
  void theSixthCallIsDeniedUntilRetryAfterIsOver() throws Exception {
    try (PingServer server = server("sliding-window")) {
      assertTheSixthIsDeniedUntilRetryAfterIsOver(server);
    }
  }

  @Test
  void onRedisItIsTheSame() throws Exception {
    String given = System.getenv("WEIR_TEST_REDIS");
    try (RedisConnection connection =
            RedisConnection.open("embedded".equals(given) ? null : given);
        PingServer server =
            PingServer.start(
                "127.0.0.1",
                0,
                limit("redis", "sliding-window"),
                context.with(RedissonClient.class, connection.client()))) {
      assertTheSixthIsDeniedUntilRetryAfterIsOver(server);
      assertThat(state(server).get("remaining").asInt()).isEqualTo(4);
      connection.client().getKeys().deleteByPattern("*" + context.namespace() + "*");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"fixed-window", "sliding-window", "sliding-window-counter", "token-bucket"})
  void theStateIsWhatTheNextCallFindsAndTakesNothing(String algorithm) throws Exception {
    try (PingServer server = server(algorithm)) {
      for (int used = 0; used <= 5; used++) {
        JsonNode state = state(server);
        assertThat(state.get("remaining").asInt()).isEqualTo(5 - used);
        assertThat(state(server)).isEqualTo(state);
        HttpResponse<String> answer = ping(server);
        assertThat(answer.statusCode()).isEqualTo(used < 5 ? 200 : 429);
        assertThat(state.get("retryAfterMillis").asLong() > 0).isEqualTo(used == 5);
      }
      advance(Duration.ofMillis(state(server).get("retryAfterMillis").asLong()));
      assertThat(state(server).get("retryAfterMillis").asLong()).isZero();
      assertThat(ping(server).statusCode()).isEqualTo(200);
      advance(Duration.ofMillis(state(server).get("resetAfterMillis").asLong()));
      assertThat(state(server).get("remaining").asInt()).isEqualTo(5);
    }
  }

  @Test
  void theStateTellsWhoAsksAndWhatWasDecidedTheNewestFirst() throws Exception {
    try (PingServer server = server("sliding-window")) {
      for (int i = 0; i < 6; i++) {
        ping(server);
        advance(Duration.ofMillis(250));
      }
      JsonNode state = state(server);
      assertThat(state.get("key").asText()).isEqualTo("ip4:127.0.0.1");
      assertThat(state.get("quota").asText()).isEqualTo("5/10s");
      assertThat(state.get("windowMillis").asLong()).isEqualTo(10_000);
      assertThat(state.get("now").asLong()).isEqualTo(now.get().toEpochMilli());
      List<String> decisions = new ArrayList<>();
      state
          .get("decisions")
          .forEach(
              decision ->
                  decisions.add(
                      decision.get("number")
                          + " "
                          + decision.get("request").asText()
                          + " "
                          + decision.get("allowed")
                          + " "
                          + decision.get("remaining")
                          + " "
                          + decision.get("retryAfterMillis")));
      assertThat(decisions)
          .containsExactly(
              "6 GET /api/ping false 0 8750",
              "5 GET /api/ping true 0 0",
              "4 GET /api/ping true 1 0",
              "3 GET /api/ping true 2 0",
              "2 GET /api/ping true 3 0",
              "1 GET /api/ping true 4 0");
    }
  }

  @Test
  void thePageTakesNothingAndAsksNobodyElse() throws Exception {
    try (PingServer server = server("sliding-window")) {
      for (String path : new String[] {"/", "/serve.css", "/serve.js"}) {
        HttpResponse<String> answer = get(server.uri().resolve(path));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("http:", "https:", "\"//", "url(");
        assertThat(header(answer, "Content-Security-Policy")).startsWith("default-src 'self'");
        assertThat(header(answer, "RateLimit")).isNull();
      }
      assertThat(state(server).get("remaining").asInt()).isEqualTo(5);
      assertThat(get(server.uri().resolve("/other")).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void theCommandPrintsWhereItServesAndStopsWhenItIsInterrupted() throws Exception {
    try (PipedReader end = new PipedReader();
        BufferedReader printed = new BufferedReader(end);
        PrintWriter out = new PrintWriter(new PipedWriter(end))) {
      StringWriter err = new StringWriter();
      FutureTask<Integer> command =
          new FutureTask<>(
              () ->
                  WeirCommand.run(
                      new String[] {"serve", "--port", "0", "--limit", "2/1m"},
                      out,
                      new PrintWriter(err, true)));
      Thread thread = new Thread(command, "weir serve");
      thread.start();
      String first = printed.readLine();
      assertThat(first).matches("serving  http://127\\.0\\.0\\.1:[0-9]+/");
      URI uri = URI.create(first.substring("serving".length()).strip());
      assertThat(printed.readLine())
          .isEqualTo("limit    2/1m for each client, sliding-window on memory");
      assertThat(printed.readLine()).isEqualTo("try      curl -i " + uri.resolve("/api/ping"));
      assertThat(printed.readLine()).isEqualTo("stop     Ctrl-C");
      assertThat(header(get(uri.resolve("/api/ping")), "X-RateLimit-Remaining")).isEqualTo("1");

      thread.interrupt();

      assertThat(command.get()).isZero();
      assertThat(err.toString()).isEmpty();
      assertThatThrownBy(() -> get(uri)).isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void aPortThatIsTakenIsToldInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String err = refused("--port", Integer.toString(taken.getLocalPort()));
      assertThat(err)
          .startsWith(
              "weir: cannot listen on port " + taken.getLocalPort() + " of 127.0.0.1 (Address")
          .endsWith("): choose another by --port, or 0 for a free one\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--port 65536      | --port is 65536, must be from 0 to 65535",
        "--port -1         | --port is -1, must be from 0 to 65535",
        "--port web        | Invalid value for option '--port'",
        "--limit 5         | --limit: quota is '5', must be LIMIT/WINDOW",
        "--limit 0/10s     | limit is 0, must be from 1",
        "--store disk      | no provider has store 'disk'",
        "--algorithm leaky | algorithm 'leaky'",
        "--redis redis://127.0.0.1:1 | --redis names a server, but --store is 'memory', must be redis",
        "--host 192.0.2.1 --port 0 | cannot listen on port 0 of 192.0.2.1 (Cannot assign requested",
        "--host 300.1.1.1.1.x.invalid | --host is '300.1.1.1.1.x.invalid', must be an address of"
      })
  void aWrongOptionIsToldInOneLine(String options, String message) {
    assertThat(refused(options.split(" "))).contains(message);
  }

  /** Runs the command, which must not start, and returns its only line. */
  private static String refused(String... options) {
    List<String> args = new ArrayList<>(List.of("serve"));
    args.addAll(List.of(options));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        WeirCommand.run(
            args.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err, true));
    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).startsWith("weir: ").hasLineCount(1);
    return err.toString();
  }

  @Test
  void helpHasExamples() {
    StringWriter out = new StringWriter();
    int exit =
        WeirCommand.run(
            new String[] {"serve", "--help"},
            new PrintWriter(out),
            new PrintWriter(new StringWriter()));
    assertThat(exit).isZero();
    assertThat(out.toString())
        .contains("weir serve --port 8080 --limit 5/10s --algorithm sliding-window")
        .contains("curl -i http://127.0.0.1:8080/api/ping");
  }
}
