package dev.weir.servlet.container;

import jakarta.servlet.ServletContainerInitializer;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;

/**
 * Jetty 12 with one of its servlet environments, which have the same class names in packages of
 * their own: those are reached by name.
 */
final class JettyContainer implements Container {

  private final Server server;
  private final ServerConnector connector;

  private JettyContainer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  static Container start(String environment, Site site) throws Exception {
    Server server = new Server();
    HttpConfiguration http = new HttpConfiguration();
    if (site.paths() != Paths.STRICT) {
      http.setUriCompliance(UriCompliance.UNSAFE);
    }
    ServerConnector connector =
        new ServerConnector(
            server, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(handler("org.eclipse.jetty." + environment + ".", site));
    server.start();
    return new JettyContainer(server, connector);
  }

  private static ContextHandler handler(String packages, Site site) throws Exception {
    String type =
        packages
            + (site.webapp().isPresent()
                ? "webapp.WebAppContext"
                : "servlet.ServletContextHandler");
    ContextHandler handler = (ContextHandler) Class.forName(type).getConstructor().newInstance();
    handler.setContextPath(site.contextPath());
    Object servlets = handler.getClass().getMethod("getServletHandler").invoke(handler);
    if (site.paths() == Paths.DECODED) {
      servlets.getClass().getMethod("setDecodeAmbiguousURIs", boolean.class).invoke(servlets, true);
    }
    if (site.webapp().isPresent()) {
      handler
          .getClass()
          .getMethod("setWar", String.class)
          .invoke(handler, site.webapp().get().toString());
    }
    ServletContainerInitializer setup = (classes, context) -> site.setup().accept(context);
    handler
        .getClass()
        .getMethod("addServletContainerInitializer", ServletContainerInitializer.class)
        .invoke(handler, setup);
    return handler;
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
  }
}
