package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Each test is a client of its own. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class ShopTest {

  private final HttpClient client = HttpClient.newHttpClient();

  @LocalServerPort private int port;

  private HttpResponse<String> get(String who, String path)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("X-Forwarded-For", who)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse(null);
  }

  @Test
  void theVersionIsTheOneThatTheBuildNames() {
    assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
  }

  @Test
  void fiveRequestsPassAndTheSixthIsTooMany() throws Exception {
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
  }

  @Test
  void anErrorPageKeepsTheHeadersAndIsNotCountedTwice() throws Exception {
    assertThat(get("192.0.2.3", "/api/nothing").statusCode()).isEqualTo(404);
    HttpResponse<String> broken = get("192.0.2.3", "/api/broken");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(header(get("192.0.2.3", "/api/items/7"), "X-RateLimit-Remaining")).isEqualTo("2");
  }

  @Test
  void anAsynchronousControllerIsNotCountedTwice() throws Exception {
    HttpResponse<String> slow = get("192.0.2.4", "/api/slow");
    assertThat(slow.body()).isEqualTo("slow");
    assertThat(header(slow, "X-RateLimit-Remaining")).isEqualTo("4");
    assertThat(header(get("192.0.2.4", "/api/slow"), "X-RateLimit-Remaining")).isEqualTo("3");
  }

  @Test
  void noSpellingOfAPathReachesAControllerUncounted() throws Exception {
    for (int i = 0; i < 5; i++) {
      get("192.0.2.5", "/api/items/7");
    }
    for (String path :
        new String[] {
          "/api/items/7/", "//api/items/7", "/api;v=1/items/7", "/%61pi/items/7", "/api/./items/7",
          "/x/../api/items/7", "/api%2Fitems%2F7", "/API/items/7"
        }) {
      assertThat(get("192.0.2.5", path).statusCode()).as(path).isIn(400, 404, 429);
    }
  }

  @Test
  void whatTheFilterIsNotMappedToIsFree() throws Exception {
    for (int i = 0; i < 9; i++) {
      assertThat(get("192.0.2.6", "/open").body()).isEqualTo("open");
    }
  }
}
