package dev.weir.servlet.container;

import dev.weir.Decision;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.servlet.RateLimitListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A server for one test, and the client that asks it. */
final class Server implements AutoCloseable {

  private final Container container;
  private final String contextPath;

  private Server(Container container, String contextPath) {
    this.container = container;
    this.contextPath = contextPath;
  }

  /** Starts a server with the filter before a servlet that answers everything. */
  static Server with(RateLimitFilter filter, Servlet servlet) throws Exception {
    return with(Container.Paths.STRICT, "", filter, servlet);
  }

  static Server with(
      Container.Paths paths, String contextPath, RateLimitFilter filter, Servlet servlet)
      throws Exception {
    return with(
        paths,
        contextPath,
        context -> {
          map(context, "rate-limit", filter);
          map(context, "servlet", servlet, "/");
        });
  }

  static Server with(Consumer<ServletContext> setup) throws Exception {
    return with(Container.Paths.STRICT, "", setup);
  }

  static Server with(Container.Paths paths, String contextPath, Consumer<ServletContext> setup)
      throws Exception {
    return new Server(
        Container.start(new Container.Site(contextPath, paths, setup, Optional.empty())),
        contextPath);
  }

  static Server with(Container.Site site) throws Exception {
    return new Server(Container.start(site), site.contextPath());
  }

  /** Maps a filter to everything, and to every kind of dispatch. */
  static FilterRegistration.Dynamic map(ServletContext context, String name, Filter filter) {
    FilterRegistration.Dynamic registration = context.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    return registration;
  }

  static void map(ServletContext context, String name, Servlet servlet, String path) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.addMapping(path);
  }

  int port() {
    return container.port();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + contextPath + path);
  }

  Answer get(String target, String... headers) throws IOException {
    return send("GET", target, headers);
  }

  /** Sends a request whose target, with the context path, and headers are as they are given. */
  Answer send(String method, String target, String... headers) throws IOException {
    StringBuilder request = new StringBuilder();
    request.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    request.append("Host: localhost\r\nConnection: close\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    return raw(request.append("\r\n").toString());
  }

  Answer raw(String request) throws IOException {
    return Answer.to(port(), request);
  }

  @Override
  public void close() {
    container.close();
  }

  /** Answers 200 and counts how often. */
  static final class Ok extends HttpServlet {
    private static final long serialVersionUID = 1L;
    final transient AtomicInteger served = new AtomicInteger();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      served.incrementAndGet();
      response.setContentType("text/plain");
      response.getOutputStream().print("ok");
    }
  }

  /** Remembers the last key, and how many decisions there were. */
  static final class Heard implements RateLimitListener {
    volatile String key;
    final AtomicInteger decisions = new AtomicInteger();
    final AtomicInteger outages = new AtomicInteger();

    @Override
    public void onDecision(
        HttpServletRequest request, String policy, String key, Decision decision) {
      this.key = key;
      decisions.incrementAndGet();
    }

    @Override
    public void onUnavailable(
        HttpServletRequest request,
        String policy,
        String key,
        RateLimiterUnavailableException cause) {
      this.key = key;
      outages.incrementAndGet();
    }
  }
}
