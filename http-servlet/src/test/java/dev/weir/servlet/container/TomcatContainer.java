package dev.weir.servlet.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat, 10.1 or 11, whichever is on the class path. */
final class TomcatContainer implements Container {

  private final Tomcat tomcat;
  private final Path base;

  private TomcatContainer(Tomcat tomcat, Path base) {
    this.tomcat = tomcat;
    this.base = base;
  }

  static Container start(Site site) throws Exception {
    Path base = Files.createTempDirectory("weir-tomcat");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.addUpgradeProtocol(new Http2Protocol());
    if (site.paths() != Paths.STRICT) {
      connector.setEncodedSolidusHandling(site.paths() == Paths.DECODED ? "decode" : "passthrough");
      connector.setAllowBackslash(true);
    }
    tomcat.setConnector(connector);
    tomcat.setAddDefaultWebXmlToWebapp(false); // it would want a JSP engine
    Context context =
        site.webapp().isPresent()
            ? tomcat.addWebapp(site.contextPath(), site.webapp().get().toString())
            : tomcat.addContext(site.contextPath(), base.toString());
    StandardJarScanner scanner = new StandardJarScanner();
    scanner.setScanClassPath(false); // nothing to find, and it takes seconds
    context.setJarScanner(scanner);
    context.setParentClassLoader(TomcatContainer.class.getClassLoader());
    context.addServletContainerInitializer(
        (classes, servletContext) -> site.setup().accept(servletContext), null);
    tomcat.start();
    TomcatContainer container = new TomcatContainer(tomcat, base);
    if (!context.getState().isAvailable()) {
      container.close();
      throw new IllegalStateException("the context did not start");
    }
    return container;
  }

  @Override
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
      try (Stream<Path> files = Files.walk(base)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (LifecycleException | IOException e) {
      throw new IllegalStateException("Tomcat does not stop", e);
    }
  }
}
