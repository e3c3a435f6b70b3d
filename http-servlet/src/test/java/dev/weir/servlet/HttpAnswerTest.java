package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Decision;
import dev.weir.SlidingWindowPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What frameworks without servlets are given. */
class HttpAnswerTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final HttpPolicy login = HttpPolicy.of("login", SlidingWindowPolicy.of(5, MINUTE));
  private final HttpPolicy api = HttpPolicy.of("api", SlidingWindowPolicy.of(100, MINUTE));

  private static Map<String, String> fields(HttpAnswer answer) {
    Map<String, String> fields = new LinkedHashMap<>();
    answer.writeFields(fields::put, (name, value) -> fields.put("+" + name, value));
    return fields;
  }

  @Test
  void theAnswerOfNobodyIsSilent() {
    assertThat(fields(HttpAnswer.empty())).isEmpty();
    assertThat(HttpAnswer.empty().rejection()).isEmpty();
    assertThat(HttpAnswer.empty().problem()).isEmpty();
  }

  @Test
  void anAdmittedRequestIsToldItsQuotas() {
    HttpAnswer answer =
        HttpAnswer.empty()
            .with(login, Decision.admitted(5, 4, MINUTE))
            .with(api, Decision.admitted(100, 3, Duration.ofMillis(1500)));
    assertThat(fields(answer))
        .isEqualTo(
            Map.of(
                "X-RateLimit-Limit", "100",
                "X-RateLimit-Remaining", "3",
                "X-RateLimit-Reset", "2",
                "+RateLimit-Policy", "\"login\";q=5;w=60, \"api\";q=100;w=60",
                "+RateLimit", "\"login\";r=4;t=60, \"api\";r=3;t=2"));
    assertThat(answer.rejection()).isEmpty();
  }

  @Test
  void aDenialIsARejectionWithAProblem() {
    HttpAnswer answer =
        HttpAnswer.empty().with(login, Decision.denied(5, 0, Duration.ofSeconds(12), MINUTE));
    assertThat(answer.rejection()).hasValueSatisfying(r -> assertThat(r.status()).isEqualTo(429));
    assertThat(fields(answer))
        .containsEntry("Retry-After", "12")
        .containsEntry("Cache-Control", "no-store")
        .containsEntry("+RateLimit", "\"login\";r=0;t=12");
    assertThat(answer.problem()).contains("#quota-exceeded").contains("[\"login\"]");
  }

  @Test
  void aLimiterWithoutAnAnswerIsTemporary() {
    HttpAnswer answer =
        HttpAnswer.empty().with(login, Decision.admitted(5, 4, MINUTE)).unavailable("api");
    assertThat(answer.rejection()).hasValueSatisfying(r -> assertThat(r.status()).isEqualTo(503));
    assertThat(fields(answer))
        .containsEntry("Retry-After", "1")
        .containsEntry("X-RateLimit-Remaining", "4");
    assertThat(answer.problem()).contains("#temporary-reduced-capacity");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/api",
        "/shop/api/items",
        "/shop/api/",
        "/shop//api/x",
        "/shop/./api",
        "/shop/x/../api",
        "/shop/%61pi/x",
        "/shop/api;v=1/x",
        "/shop/api%2Fx",
        "/shop/api%5Cx",
        "/shop/api/../x",
        "/shop/api/%2E%2E/x"
      })
  void everySpellingOfAPathCounts(String path) {
    HttpPolicy policy = api.withPaths(List.of("/api/*"));
    assertThat(policy.counts("GET", "/shop", path)).isTrue();
    assertThat(policy.counts("GET", "", path.substring("/shop".length()))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/apis", "/api", "/shop", "/shop/API", "/shop/x/api"})
  void otherPathsDoNotCount(String path) {
    assertThat(api.withPaths(List.of("/api/*")).counts("GET", "/shop", path))
        .isEqualTo(path.equals("/api")); // which no framework routes to this application
  }

  @Test
  void getIncludesHead() {
    HttpPolicy policy = api.withMethods(List.of("GET"));
    assertThat(policy.counts("HEAD", "", "/")).isTrue();
    assertThat(policy.counts("POST", "", "/")).isFalse();
    assertThat(api.counts("POST", "", "/")).isTrue();
  }

  @Test
  void aKeyOfAKindIsThatOfTheFilter() {
    assertThat(HttpPolicy.key("user", "mary")).isEqualTo("user:mary");
    assertThat(HttpPolicy.key("user", "m".repeat(300))).startsWith("user#sha256:").hasSize(76);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPolicy.key("ip4", "192.0.2.1"))
        .withMessageContaining("kind of key is 'ip4'");
  }

  @Test
  void theClientIsFoundByPeerAndHeader() {
    ClientAddress client = ClientAddress.behind("10.0.0.0/8");
    assertThat(client.keyOf("192.0.2.1", name -> List.of("6.6.6.6"))).isEqualTo("ip4:192.0.2.1");
    assertThat(client.keyOf("10.0.0.1", name -> List.of("6.6.6.6, 192.0.2.2", "10.0.0.2")))
        .isEqualTo("ip4:192.0.2.2");
    assertThat(client.keyOf(null, name -> List.of())).isEqualTo("unknown");
  }
}
