package shop;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;

/** Jetty embedded, as docs/http.md shows it. */
final class Shop {

  private Shop() {}

  static Server server() {
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    ServletContextHandler context = new ServletContextHandler();
    context.setBaseResourceAsString(".");
    context.addServlet(DefaultServlet.class, "/");

    var limiter = InMemorySlidingWindow.create(SlidingWindowPolicy.of(5, Duration.ofMinutes(1)));
    var filter = new FilterHolder(RateLimitFilter.builder(limiter).name("api").build());
    filter.setAsyncSupported(true);
    context.addFilter(filter, "/api/*", EnumSet.of(DispatcherType.REQUEST));

    server.setHandler(context);
    return server;
  }
}
