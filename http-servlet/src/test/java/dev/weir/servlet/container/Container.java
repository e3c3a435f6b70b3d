package dev.weir.servlet.container;

import jakarta.servlet.ServletContext;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.logging.LogManager;

/** A real servlet container on a port of the loopback interface. */
interface Container extends AutoCloseable {

  /** How a container treats a path with an encoded slash, a backslash and the like. */
  enum Paths {
    /** It refuses them, which is the default everywhere. */
    STRICT,
    /** It lets them in and decodes an encoded slash to a slash. */
    DECODED,
    /** It lets them in and leaves an encoded slash encoded, or says nothing of such a path. */
    PASSED_THROUGH
  }

  /**
   * What to run.
   *
   * @param setup what a {@code ServletContainerInitializer} would do
   * @param webapp a folder with a WEB-INF/web.xml to run instead
   */
  record Site(
      String contextPath, Paths paths, Consumer<ServletContext> setup, Optional<Path> webapp) {}

  int port();

  @Override
  void close();

  /** Starts the container that this execution of the tests has on its class path, see the pom. */
  static Container start(Site site) throws Exception {
    String name = System.getProperty("weir.container");
    if (name == null) {
      throw new IllegalStateException(
          "the system property weir.container names no container: run these tests by Maven, which"
              + " gives each container a class path of its own");
    }
    LogManager.getLogManager().reset(); // failures on purpose would fill the console
    return name.startsWith("jetty")
        ? JettyContainer.start(name.substring("jetty-".length()), site)
        : TomcatContainer.start(site);
  }
}
