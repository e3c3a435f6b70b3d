package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;
import redis.embedded.RedisServer;
import redis.embedded.exceptions.EmbeddedRedisException;

/** Each test is a client of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ShopTest {

  private static RedisServer redis;

  private final HttpClient client = HttpClient.newHttpClient();

  @LocalServerPort private int port;
  @Autowired private RedissonClient redisson;

  @DynamicPropertySource
  static void startRedis(DynamicPropertyRegistry properties) throws IOException {
    redis = startedRedis(3);
    properties.add("shop.redis", () -> "redis://127.0.0.1:" + redis.ports().get(0));
  }

  /** Starts a server; somebody may take the port between the look and the start, so then another. */
  private static RedisServer startedRedis(int tries) throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    RedisServer server = RedisServer.builder().port(free).setting("save \"\"").build();
    try {
      server.start();
      return server;
    } catch (EmbeddedRedisException e) {
      if (tries == 1) {
        throw e;
      }
      return startedRedis(tries - 1);
    }
  }

  @AfterAll
  static void stopRedis() throws IOException {
    redis.stop();
  }

  private HttpRequest.Builder request(String who, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("X-Forwarded-For", "6.6.6.6, " + who);
  }

  private HttpResponse<String> get(String who, String path)
      throws IOException, InterruptedException {
    return client.send(request(who, path).build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse(null);
  }

  @Test
  void theVersionIsTheOneThatTheBuildNames() {
    assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
  }

  @Test
  void tenLinesOfYamlLimitAUserOnRedis() throws Exception {
    for (int left = 4; left >= 0; left--) {
      HttpResponse<String> answer = get("192.0.2.1", "/api/items/7");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("item 7");
      assertThat(header(answer, "X-RateLimit-Remaining")).isEqualTo(Integer.toString(left));
      assertThat(header(answer, "RateLimit-Policy")).isEqualTo("\"api\";q=5;w=60");
    }
    HttpResponse<String> denied = get("192.0.2.1", "/api/items/7");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(Integer.parseInt(header(denied, "Retry-After"))).isBetween(1, 60);
    assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(denied.body()).contains("quota-exceeded").contains("\"api\"");
    assertThat(get("192.0.2.2", "/api/items/7").statusCode()).isEqualTo(200);
    assertThat(redisson.getKeys().getKeysByPattern("weir1:*weir.api:ip4:192.0.2.1")).hasSize(1);
  }

  @Test
  void aLimitedMethodAnswersLikeTheFilter() throws Exception {
    assertThat(get("192.0.2.3", "/reports/mary/7").body()).isEqualTo("report of mary");
    HttpResponse<String> denied = get("192.0.2.4", "/reports/mary/4");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"reports\";q=10;w=3600");
    assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("3");
    assertThat(Integer.parseInt(header(denied, "Retry-After"))).isBetween(3590, 3600);
    assertThat(denied.body()).contains("quota-exceeded").contains("\"reports\"");
    assertThat(get("192.0.2.3", "/reports/john/4").statusCode()).isEqualTo(200);
  }

  @Test
  void whatNeedsServletsOrActuatorIsNotThere() {
    assertThat(ClassUtils.isPresent("jakarta.servlet.Filter", null)).isFalse();
    assertThat(ClassUtils.isPresent("org.springframework.boot.actuate.endpoint.Access", null))
        .isFalse();
  }
}
