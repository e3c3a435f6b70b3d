package dev.weir.redis;

import java.util.concurrent.ThreadFactory;

/** Threads that keep neither the JVM nor a class loader alive. */
final class Daemon {

  private Daemon() {}

  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      return thread;
    };
  }
}
