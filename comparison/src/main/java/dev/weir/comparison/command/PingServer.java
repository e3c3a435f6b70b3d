package dev.weir.comparison.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.Decision;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.RateLimiters;
import dev.weir.servlet.ClientAddress;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A server with something to ask behind the servlet filter, and a page in front of it that shows
 * the caller what is left and what was decided.
 *
 * <p>Everything below {@code /api} is limited by the caller's address; the page and what it asks
 * for take nothing.
 */
final class PingServer implements AutoCloseable {

  static final String PING = "/api/ping";

  private static final String LIMITED = "/api/*";
  private static final int SHOWN = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Server server;
  private final URI uri;

  private PingServer(Server server, URI uri) {
    this.server = server;
    this.uri = uri;
  }

  /** What to limit by, in the words of the providers. */
  record Limit(String store, String algorithm, Quota quota) {}

  /**
   * Starts a server.
   *
   * @param port 0 for a free one
   * @param context the limiter's namespace, clock and resources
   * @throws IllegalArgumentException if there is no such store or algorithm
   * @throws IOException if the address cannot be listened on
   */
  static PingServer start(String host, int port, Limit limit, ProviderContext context)
      throws IOException {
    RateLimiter limiter =
        RateLimiters.create(limit.store(), limit.algorithm(), limit.quota(), context);
    InstantSource clock = context.clock().orElse(InstantSource.system());
    RecentDecisions recent = new RecentDecisions(clock);
    Server server = new Server();
    server.setHandler(handler(limit, limiter, recent, clock));
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    InetAddress address = address(host);
    connector.setHost(address.getHostAddress());
    connector.setPort(port);
    server.addConnector(connector);
    PingServer started = null;
    try {
      connector.open();
      server.start();
      started = new PingServer(server, uri(address, connector.getLocalPort()));
      return started;
    } catch (IOException e) {
      throw new IOException(explained(host, port, e), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not start", e);
    } finally {
      if (started == null) {
        stop(server);
      }
    }
  }

  private static InetAddress address(String host) throws IOException {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException(
          "--host is '" + Text.printable(host) + "', must be an address of this machine", e);
    }
  }

  private static String explained(String host, int port, IOException failure) {
    Throwable cause = failure.getCause() instanceof BindException e ? e : failure;
    return "cannot listen on port "
        + port
        + " of "
        + Text.printable(host)
        + " ("
        + cause.getMessage()
        + "): choose another by --port, or 0 for a free one";
  }

  private static URI uri(InetAddress address, int port) throws URISyntaxException {
    String host =
        address.isAnyLocalAddress()
            ? InetAddress.getLoopbackAddress().getHostAddress()
            : address.getHostAddress();
    return new URI("http", null, host, port, "/", null, null);
  }

  private static ServletContextHandler handler(
      Limit limit, RateLimiter limiter, RecentDecisions recent, InstantSource clock) {
    ClientAddress client = ClientAddress.ofPeer();
    ServletContextHandler handler = new ServletContextHandler();
    FilterHolder filter =
        new FilterHolder(
            RateLimitFilter.builder(limiter)
                .name(limit.algorithm())
                .clientAddress(client)
                .listener(recent)
                .build());
    handler.addFilter(filter, LIMITED, EnumSet.of(DispatcherType.REQUEST));
    handler.addServlet(new Get((request, response) -> pong(response)), PING);
    handler.addServlet(
        new Get(
            (request, response) -> {
              String key = client.keyOf(request);
              ObjectNode state = describe(limit, limiter, key);
              state.put("now", clock.millis());
              decisions(state.putArray("decisions"), recent, key);
              send(response, "application/json", JSON.writeValueAsBytes(state));
            }),
        "/state");
    handler.addServlet(file("serve.html", "text/html; charset=utf-8"), "");
    handler.addServlet(file("serve.css", "text/css; charset=utf-8"), "/serve.css");
    handler.addServlet(file("serve.js", "text/javascript; charset=utf-8"), "/serve.js");
    return handler;
  }

  private static void pong(HttpServletResponse response) throws IOException {
    response.setContentType("text/plain; charset=utf-8");
    response.getOutputStream().print("pong\n");
  }

  /** Says what is left for a key, and takes nothing. */
  private static ObjectNode describe(Limit limit, RateLimiter limiter, String key) {
    ObjectNode state = JSON.createObjectNode();
    state.put("algorithm", limit.algorithm());
    state.put("store", limit.store());
    state.put("quota", limit.quota().toString());
    state.put("windowMillis", limit.quota().window().toMillis());
    state.put("key", key);
    long most = limiter.policy().limit();
    state.put("limit", most);
    try {
      // What can never be admitted is denied with what is there now; what fits is told what it
      // leaves.
      Decision now = limiter.peek(key, most + 1);
      state.put("remaining", now.remaining());
      state.put("resetAfterMillis", millis(now.resetAfter()));
      state.put("retryAfterMillis", millis(limiter.peek(key, 1).retryAfter()));
    } catch (RateLimiterUnavailableException e) {
      state.putNull("remaining");
    }
    return state;
  }

  private static void decisions(ArrayNode list, RecentDecisions recent, String key) {
    for (RecentDecisions.Entry entry : recent.of(key, SHOWN)) {
      ObjectNode item = list.addObject();
      item.put("number", entry.number());
      item.put("at", entry.at().toEpochMilli());
      item.put("request", entry.request());
      Decision decision = entry.decision();
      if (decision != null) {
        item.put("allowed", decision.allowed());
        item.put("remaining", decision.remaining());
        item.put("retryAfterMillis", millis(decision.retryAfter()));
      }
    }
  }

  /** In whole milliseconds, rounded up. */
  private static long millis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  private static Get file(String name, String type) {
    byte[] content = resource(name);
    return new Get(
        (request, response) -> {
          response.setHeader("Content-Security-Policy", "default-src 'self'; img-src data:");
          send(response, type, content);
        });
  }

  private static byte[] resource(String name) {
    try (InputStream in = PingServer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(HttpServletResponse response, String type, byte[] content)
      throws IOException {
    response.setContentType(type);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(content.length);
    response.getOutputStream().write(content);
  }

  /** Where the page is. */
  URI uri() {
    return uri;
  }

  /** Waits until the server is closed or the thread is interrupted, which is then forgotten. */
  void await() {
    try {
      server.join();
    } catch (InterruptedException e) {
      return; // not set again: Jetty could not stop in order
    }
  }

  @Override
  public void close() {
    stop(server);
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
  }

  /** A servlet that answers GET, by a function. */
  private static final class Get extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    Get(Answer answer) {
      this.answer = answer;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer.to(request, response);
    }
  }

  private interface Answer {
    void to(HttpServletRequest request, HttpServletResponse response) throws IOException;
  }
}
