package dev.weir.servlet.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ProviderContext;
import dev.weir.memory.InMemoryStore;
import dev.weir.servlet.Limiters.StandingClock;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("container")
class WebXmlTest {

  @TempDir Path webapp;

  /** A servlet that a web.xml can name. */
  public static final class Named extends HttpServlet {
    private static final long serialVersionUID = 1L;

    public Named() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getServletPath().equals("/gone")) {
        response.sendError(404);
      } else {
        response.getWriter().print("named " + request.getDispatcherType());
      }
    }
  }

  private Server server(String parameters) throws Exception {
    return server(parameters, "", ProviderContext.of("any").withClock(new StandingClock()));
  }

  private Server server(String parameters, String mapping, ProviderContext providers)
      throws Exception {
    Path folder = Files.createDirectories(webapp.resolve("WEB-INF"));
    Files.writeString(
        folder.resolve("web.xml"),
        """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0">
          <filter>
            <filter-name>api</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
            <async-supported>true</async-supported>
            %s
          </filter>
          <filter-mapping>
            <filter-name>api</filter-name>
            <url-pattern>/*</url-pattern>
            %s
          </filter-mapping>
          <servlet>
            <servlet-name>named</servlet-name>
            <servlet-class>dev.weir.servlet.container.WebXmlTest$Named</servlet-class>
          </servlet>
          <servlet-mapping>
            <servlet-name>named</servlet-name>
            <url-pattern>/</url-pattern>
          </servlet-mapping>
          <error-page>
            <location>/error-page</location>
          </error-page>
        </web-app>
        """
            .formatted(parameters, mapping));
    return Server.with(
        new Container.Site(
            "/app",
            Container.Paths.STRICT,
            context -> context.setAttribute(ProviderContext.class.getName(), providers),
            Optional.of(webapp)));
  }

  private static String parameter(String name, String value) {
    return "<init-param><param-name>"
        + name
        + "</param-name><param-value>"
        + value
        + "</param-value></init-param>";
  }

  @Test
  void aQuotaIsEnoughForAFilter() throws Exception {
    try (Server server = server(parameter("quota", "2/10s"))) {
      Answer first = server.get("/app/x");
      assertThat(first.body()).isEqualTo("named REQUEST");
      assertThat(first.header("RateLimit-Policy")).isEqualTo("\"api\";q=2;w=10");
      assertThat(server.get("/app/x").status()).isEqualTo(200);
      assertThat(server.get("/app/x").status()).isEqualTo(429);
    }
  }

  @Test
  void everythingButCodeCanBeSaidInParameters() throws Exception {
    try (Server server =
        server(
            parameter("policies", "login, rest")
                + parameter("login.quota", "1/1m")
                + parameter("login.paths", "/login")
                + parameter("login.methods", "GET, POST")
                + parameter("login.algorithm", "fixed-window")
                + parameter("quota", "10/1m burst 4")
                + parameter("algorithm", "token-bucket")
                + parameter("store", "memory")
                + parameter("namespace", "shop")
                + parameter("key", "user")
                + parameter("onUnavailable", "allow")
                + parameter("rest.onUnavailable", "memory")
                + parameter("trustedProxies", "127.0.0.0/8, ::1")
                + parameter("clientHeader", "Forwarded")
                + parameter("ipv6Prefix", "56")
                + parameter("headers", "ietf")
                + parameter("epochReset", "false")
                + parameter("ignoreCase", "true")
                + parameter("exposeCors", "true"))) {
      Answer first = server.get("/app/LOGIN", "Forwarded: for=\"[2001:db8:0:1::1]\"");
      assertThat(first.header("RateLimit-Policy"))
          .isEqualTo("\"login\";q=1;w=60, \"rest\";q=4;w=24");
      assertThat(first.header("X-RateLimit-Limit")).isNull();
      assertThat(first.header("Access-Control-Expose-Headers"))
          .isEqualTo("RateLimit-Policy, RateLimit, Retry-After");
      Answer neighbour = server.get("/app/login", "Forwarded: for=\"[2001:db8:0:ff::1]\"");
      assertThat(neighbour.status()).isEqualTo(429);
      Answer stranger = server.get("/app/login", "Forwarded: for=\"[2001:db8:0:100::1]\"");
      assertThat(stranger.status()).isEqualTo(200);
    }
  }

  @Test
  void policiesOnOneStoreCountApartAlthoughTheirQuotasAreTheSame() throws Exception {
    ProviderContext providers =
        ProviderContext.of("any")
            .withClock(new StandingClock())
            .with(InMemoryStore.class, InMemoryStore.create());
    try (Server server =
        server(parameter("policies", "one, other") + parameter("quota", "5/1m"), "", providers)) {
      assertThat(server.get("/app/x").header("RateLimit"))
          .isEqualTo("\"one\";r=4;t=60, \"other\";r=4;t=60");
    }
  }

  @Test
  void filtersWithOneNamespaceOnOneStoreShareTheirCounts() throws Exception {
    ProviderContext providers =
        ProviderContext.of("any")
            .withClock(new StandingClock())
            .with(InMemoryStore.class, InMemoryStore.create());
    String parameters =
        parameter("policies", "all") + parameter("quota", "5/1m") + parameter("namespace", "shop");
    try (Server one = server(parameters, "", providers)) {
      assertThat(one.get("/app/x").header("X-RateLimit-Remaining")).isEqualTo("4");
      try (Server other = server(parameters, "", providers)) {
        assertThat(other.get("/app/x").header("X-RateLimit-Remaining")).isEqualTo("3");
      }
    }
  }

  @Test
  void anErrorPageIsNotCountedEvenWhereTheFilterIsMappedToNothingElse() throws Exception {
    ProviderContext providers = ProviderContext.of("any").withClock(new StandingClock());
    try (Server server =
        server(parameter("quota", "1/1m"), "<dispatcher>ERROR</dispatcher>", providers)) {
      for (int i = 0; i < 3; i++) {
        Answer answer = server.get("/app/gone");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("named ERROR");
        assertThat(answer.header("RateLimit")).isNull();
      }
    }
  }

  @Test
  void aFilterThatAContainerMakesFromItsClassReadsTheSameParameters() throws Exception {
    try (Server server =
        Server.with(
            context -> {
              FilterRegistration.Dynamic filter =
                  context.addFilter("by-class", RateLimitFilter.class);
              filter.setInitParameter("quota", "3/1m");
              filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/api/*");
              Server.map(context, "ok", new Server.Ok(), "/");
            })) {
      assertThat(server.get("/api/x").header("RateLimit-Policy"))
          .isEqualTo("\"by-class\";q=3;w=60");
      assertThat(server.get("/x").header("RateLimit-Policy")).isNull();
    }
  }

  @Test
  void aWrongParameterKeepsTheApplicationFromStarting() {
    assertThatThrownBy(
            () -> {
              try (Server server = server(parameter("quotta", "2/10s"))) {
                // A container that starts all the same must not serve without the limit.
                assertThat(server.get("/app/x").status()).isNotEqualTo(200);
                throw new IllegalStateException("started, but does not serve");
              }
            })
        .isInstanceOf(Exception.class);
  }
}
