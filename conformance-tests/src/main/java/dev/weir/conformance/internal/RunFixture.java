package dev.weir.conformance.internal;

import dev.weir.conformance.Fixture;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The fixture of one run. */
final class RunFixture implements Fixture, AutoCloseable {

  // Nobody else on a store that outlives this JVM uses these names.
  private static final String PREFIX = "conformance-" + UUID.randomUUID() + "-";
  private static final AtomicLong RUNS = new AtomicLong();

  private final InstantSource clock;
  private final String namespace;
  private final Map<Class<?>, Object> shared;
  private final Deque<AutoCloseable> resources;

  RunFixture(InstantSource clock) {
    this(clock, PREFIX + RUNS.incrementAndGet(), new ConcurrentHashMap<>(), new ArrayDeque<>());
  }

  private RunFixture(
      InstantSource clock,
      String namespace,
      Map<Class<?>, Object> shared,
      Deque<AutoCloseable> resources) {
    this.clock = clock;
    this.namespace = namespace;
    this.shared = shared;
    this.resources = resources;
  }

  /** The fixture of another namespace on the same store. */
  RunFixture sibling(String suffix) {
    return new RunFixture(clock, namespace + suffix, shared, resources);
  }

  @Override
  public InstantSource clock() {
    return clock;
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public <T> T shared(Class<T> type, Supplier<? extends T> create) {
    return type.cast(shared.computeIfAbsent(type, missing -> create.get()));
  }

  @Override
  public void onClose(AutoCloseable resource) {
    synchronized (resources) {
      resources.push(resource);
    }
  }

  @Override
  public void close() {
    synchronized (resources) {
      RuntimeException failed = null;
      while (!resources.isEmpty()) {
        try {
          resources.pop().close();
        } catch (Exception e) {
          if (failed == null) {
            failed = new IllegalStateException("a resource of the fixture does not close", e);
          } else {
            failed.addSuppressed(e);
          }
        }
      }
      if (failed != null) {
        throw failed;
      }
    }
  }
}
