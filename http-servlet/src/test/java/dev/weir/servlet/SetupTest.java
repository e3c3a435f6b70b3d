package dev.weir.servlet;

import static dev.weir.servlet.Limiters.standing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused when a filter is set up, in Java and by init parameters. */
class SetupTest {

  private static RateLimitFilter.Builder builder() {
    return RateLimitFilter.builder(standing(5, Duration.ofSeconds(10)));
  }

  @Test
  void twoPoliciesCannotHaveOneName() {
    assertThatThrownBy(() -> builder().policy(standing(1, Duration.ofSeconds(1))).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'default'");
  }

  @Test
  void nothingMayBeNull() {
    assertThatThrownBy(() -> RateLimitFilter.builder(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().policy(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().name(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().paths("/a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().methods("GET", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().keyBy("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().cost(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().listener(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().rejectionHandler(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().clientAddress(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder().onUnavailable((WhenUnavailable) null))
        .isInstanceOf(NullPointerException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "api", "/api/", "//api", "/api//x", "/./api", "/a/../b", "/a*", "/*/a", "/a/*/b",
        "*.do", "/a%2Fb", "/a;b", "/a\\b", "/a?b", "/a#b", "/a\n", "/a/**", "//*", "/a//*"
      })
  void aPatternThatNoPathCanMatchIsRefused(String pattern) {
    assertThatThrownBy(() -> builder().paths(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("path is '" + pattern + "'");
  }

  @Test
  void listsMustNotBeEmptyAndMethodsMustBeTokens() {
    assertThatThrownBy(() -> builder().paths()).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> builder().methods()).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> builder().methods("GET POST"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("method is 'GET POST'");
  }

  @Test
  void aFilterThatWasNotSetUpServesNothing() {
    assertThatThrownBy(() -> new RateLimitFilter().doFilter(null, null, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not set up");
  }

  @Test
  void aBuiltFilterReadsNoParameters() throws Exception {
    RateLimitFilter filter = builder().build();
    filter.init(config(Map.of("nonsense", "1")));
  }

  @Test
  void aQuotaIsEnough() throws Exception {
    new RateLimitFilter().init(config(Map.of("quota", "5/10s")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quotta=5/s             | there is no init-param 'quotta'",
        "x.quota=5/s            | there is no init-param 'x.quota'",
        "api.headers=ietf       | there is no init-param 'api.headers'",
        "store=memory           | quota is missing for the policy 'api'",
        "quota=5                | quota is '5', must be LIMIT/WINDOW",
        "quota=0/s              | limit is 0",
        "policies=,             | policies is ','",
        "policies=a,a;quota=1/s | two policies have the name 'a'",
        "policies=a,b;a.quota=1/s | quota is missing for the policy 'b'",
        "quota=1/s;store=disk   | no provider has store 'disk'",
        "quota=1/s;algorithm=x  | algorithm 'x'",
        "quota=1/s;paths=api    | path is 'api'",
        "quota=1/s;methods=G T  | method is 'G T'",
        "quota=1/s;key=ip       | key is 'ip', must be address or user",
        "quota=1/s;onUnavailable=x | no provider has store 'x'",
        "quota=1/s;trustedProxies=10.0.0.1/8 | has bits set after its prefix",
        "quota=1/s;clientHeader=Forwarded | no proxy is trusted",
        "quota=1/s;clientHeader=X-Real-IP | no proxy is trusted",
        "quota=1/s;ipv6Prefix=x | ipv6Prefix is 'x'",
        "quota=1/s;ipv6Prefix=32 | ipv6Prefix is 32",
        "quota=1/s;headers=all  | headers is 'all'",
        "quota=1/s;ignoreCase=yes | ignoreCase is 'yes', must be true or false"
      })
  void aWrongParameterIsNamedWithItsValue(String parameters, String message) {
    Map<String, String> map = new TreeMap<>();
    for (String parameter : parameters.split(";")) {
      String[] pair = parameter.split("=", 2);
      map.put(pair[0], pair[1]);
    }
    assertThatThrownBy(() -> new RateLimitFilter().init(config(map)))
        .isInstanceOf(ServletException.class)
        .hasMessageStartingWith("filter 'api': ")
        .hasMessageContaining(message);
  }

  @Test
  void everyFamilyCanBeTurnedOffByAnEmptyParameter() throws Exception {
    assertThat(InitParameters.read(config(Map.of("quota", "5/s", "headers", ""))).families())
        .isEmpty();
  }

  private static FilterConfig config(Map<String, String> parameters) {
    ServletContext context = proxy(ServletContext.class, (name, argument) -> null);
    return proxy(
        FilterConfig.class,
        (name, argument) ->
            switch (name) {
              case "getFilterName" -> "api";
              case "getServletContext" -> context;
              case "getInitParameter" -> parameters.get(argument);
              case "getInitParameterNames" -> Collections.enumeration(parameters.keySet());
              default -> throw new AssertionError(name);
            });
  }

  private interface Answers {
    Object answer(String method, Object argument);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                answers.answer(method.getName(), arguments == null ? null : arguments[0])));
  }
}
