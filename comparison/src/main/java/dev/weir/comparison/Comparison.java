package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.RateLimiters;
import dev.weir.internal.Micros;
import dev.weir.memory.InMemoryOptions;
import dev.weir.redis.RedisOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.redisson.api.RedissonClient;

/**
 * A comparison replays one trace, in virtual time, through every algorithm on every store, and
 * measures what each admits, denies and costs.
 *
 * <pre>{@code
 * try (Trace trace = TraceReader.of(TraceFormat.AUTO).read(Path.of("access.log.gz"))) {
 *   ComparisonResult result = Comparison.of(trace).with(Quota.parse("100/1m")).run();
 * }
 * }</pre>
 *
 * <p>Limiters are found through {@link RateLimiters}, so an algorithm of somebody else's takes part
 * as soon as its provider is on the class path. The stores must agree on every decision of every
 * event. On {@code redis} the comparison also measures bytes and commands, and deletes its keys in
 * the end; the server should have no other clients meanwhile, for it counts the commands of all.
 *
 * <p>Immutable; the methods that set something return changed copies. {@link #run()} blocks until
 * the replay is done.
 */
public final class Comparison {

  private static final String REDIS = "redis";
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(10); // a replay has no users
  private static final int NAMESPACE_LENGTH = 8; // short: it is part of every key that is measured
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Trace trace;
  private final Quota quota;
  private final Clients clients;
  private final Set<String> algorithms; // empty: all
  private final Set<String> stores; // empty: all that can be
  private final Map<Class<?>, Object> resources;
  private final ProgressListener listener;

  private Comparison(
      Trace trace,
      Quota quota,
      Clients clients,
      Set<String> algorithms,
      Set<String> stores,
      Map<Class<?>, Object> resources,
      ProgressListener listener) {
    this.trace = trace;
    this.quota = quota;
    this.clients = clients;
    this.algorithms = algorithms;
    this.stores = stores;
    this.resources = resources;
    this.listener = listener;
  }

  /**
   * Returns the comparison of all algorithms on a trace, at 100 permits a minute, on memory, with
   * clients that never try again.
   *
   * @param trace the trace to replay; the caller closes it
   * @return a comparison
   * @throws NullPointerException if {@code trace} is null
   */
  public static Comparison of(Trace trace) {
    return new Comparison(
        Objects.requireNonNull(trace, "trace"),
        Quota.of(100, Duration.ofMinutes(1)),
        Clients.open(),
        Set.of(),
        Set.of(),
        Map.of(),
        (what, done, total) -> {});
  }

  /**
   * Returns this comparison at another quota.
   *
   * @param quota what every algorithm is to admit
   * @return the changed copy
   * @throws NullPointerException if {@code quota} is null
   */
  public Comparison with(Quota quota) {
    return new Comparison(
        trace,
        Objects.requireNonNull(quota, "quota"),
        clients,
        algorithms,
        stores,
        resources,
        listener);
  }

  /**
   * Returns this comparison with clients that answer to denials.
   *
   * @param clients whether and when a denied client tries again
   * @return the changed copy
   * @throws NullPointerException if {@code clients} is null
   */
  public Comparison with(Clients clients) {
    return new Comparison(
        trace,
        quota,
        Objects.requireNonNull(clients, "clients"),
        algorithms,
        stores,
        resources,
        listener);
  }

  /**
   * Returns this comparison with a resource that a store's provider asks for, such as a {@link
   * RedissonClient} of a single server for {@code redis}.
   *
   * @param type the type under which providers ask for it
   * @param resource the resource; the caller closes it
   * @param <T> the type
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   */
  public <T> Comparison with(Class<T> type, T resource) {
    Map<Class<?>, Object> copy = new HashMap<>(resources);
    copy.put(type, Objects.requireNonNull(resource, "resource"));
    return new Comparison(trace, quota, clients, algorithms, stores, Map.copyOf(copy), listener);
  }

  /**
   * Returns this comparison of the named algorithms only.
   *
   * @param names names of algorithms; empty means all
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   */
  public Comparison algorithms(Collection<String> names) {
    return new Comparison(
        trace,
        quota,
        clients,
        new LinkedHashSet<>(List.copyOf(names)),
        stores,
        resources,
        listener);
  }

  /**
   * Returns this comparison on the named stores only.
   *
   * @param names names of stores; empty means {@code memory}, and {@code redis} where there is a
   *     {@link RedissonClient}
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   */
  public Comparison stores(Collection<String> names) {
    return new Comparison(
        trace,
        quota,
        clients,
        algorithms,
        new LinkedHashSet<>(List.copyOf(names)),
        resources,
        listener);
  }

  /**
   * Returns this comparison with a listener that is told how far the replay has come.
   *
   * @param listener is told after every few thousand events
   * @return the changed copy
   * @throws NullPointerException if {@code listener} is null
   */
  public Comparison with(ProgressListener listener) {
    return new Comparison(
        trace,
        quota,
        clients,
        algorithms,
        stores,
        resources,
        Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Replays the trace.
   *
   * @return what was found
   * @throws IllegalArgumentException if an algorithm or a store is not on the class path, or a
   *     store's provider lacks a resource
   * @throws StoresDisagreeException if two stores decide an event differently
   * @throws RateLimiterUnavailableException if a store gave no answer
   */
  public ComparisonResult run() {
    return result(replay(false));
  }

  /**
   * Replays the trace, and the key with the worst window of each algorithm once more, for a report.
   *
   * @return what {@link #run()} would find, and what a report shows beyond
   * @throws IllegalArgumentException if an algorithm or a store is not on the class path, or a
   *     store's provider lacks a resource
   * @throws StoresDisagreeException if two stores decide an event differently
   * @throws RateLimiterUnavailableException if a store gave no answer
   */
  public ComparisonReport report() {
    List<Details> details = replay(true);
    return new ComparisonReport(result(details), details);
  }

  private ComparisonResult result(List<Details> details) {
    return new ComparisonResult(
        trace.facts(), quota, details.stream().flatMap(each -> each.results.stream()).toList());
  }

  private List<Details> replay(boolean closeUps) {
    List<RateLimiterProvider> providers = chosenProviders();
    return names(providers, RateLimiterProvider::algorithm).stream()
        .map(name -> providers.stream().filter(p -> p.algorithm().equals(name)).toList())
        .map(ofAlgorithm -> replay(ofAlgorithm, closeUps))
        .toList();
  }

  /** Replays the trace through one algorithm, on every store in step. */
  private Details replay(List<RateLimiterProvider> providers, boolean closeUp) {
    List<Lane> lanes = new ArrayList<>();
    try {
      for (RateLimiterProvider provider : providers) {
        lanes.add(lane(provider.store(), provider.algorithm()));
      }
      Lane first = lanes.get(0);
      Details details = new Details(first.algorithm, trace.facts());
      first.sampleWaits(details.waits);
      decide(lanes, details);
      details.end(first.meter);
      if (closeUp && first.meter.worstCount() > 0) {
        Lane fresh = lane(first.store, first.algorithm);
        lanes.add(fresh);
        details.closeUp =
            CloseUp.of(trace, clients, fresh, first.meter.worstKey(), first.meter.worstTime());
      }
      lanes.forEach(Lane::close);
      return details;
    } catch (RuntimeException e) {
      for (Lane lane : lanes) {
        try {
          lane.close();
        } catch (RuntimeException unclosed) {
          e.addSuppressed(unclosed);
        }
      }
      throw e;
    }
  }

  private void decide(List<Lane> lanes, Details details) {
    Lane first = lanes.get(0);
    EventSource events = EventSource.of(trace, clients, Trace.ALL_KEYS);
    Batch batch = new Batch();
    long before = 0;
    while (events.fill(batch)) {
      for (Lane lane : lanes) {
        lane.decide(batch);
      }
      for (Lane other : lanes.subList(1, lanes.size())) {
        requireAgreement(batch, before, first, other);
      }
      events.decided(batch, first.decisions);
      details.decided(batch, first.decisions);
      before += batch.size;
      listener.progress(first.algorithm, before, trace.facts().events());
    }
    details.results = lanes.stream().map(lane -> lane.result(trace, events.persistence())).toList();
  }

  private Lane lane(String store, String algorithm) {
    String namespace = freshNamespace();
    VirtualClock clock = new VirtualClock();
    ProviderContext context =
        ProviderContext.of(namespace)
            .withClock(clock)
            .with(InMemoryOptions.class, InMemoryOptions.defaults().withMaxKeys(Integer.MAX_VALUE))
            .with(RedisOptions.class, RedisOptions.defaults().withTimeout(REDIS_TIMEOUT));
    for (Map.Entry<Class<?>, Object> resource : resources.entrySet()) {
      context = with(context, resource.getKey(), resource.getValue());
    }
    RateLimiter limiter = RateLimiters.create(store, algorithm, quota, context);
    long window = Micros.of(quota.window());
    Object redisson = resources.get(RedissonClient.class);
    return store.equals(REDIS) && redisson != null
        ? new RedisLane(
            algorithm,
            store,
            limiter,
            clock,
            quota.limit(),
            window,
            new RedisProbe((RedissonClient) redisson),
            namespace,
            clients.mode() != Clients.Mode.OPEN)
        : new Lane(algorithm, store, limiter, clock, quota.limit(), window);
  }

  private static <T> ProviderContext with(ProviderContext context, Class<T> type, Object value) {
    return context.with(type, type.cast(value));
  }

  private void requireAgreement(Batch batch, long before, Lane first, Lane other) {
    for (int i = 0; i < batch.size; i++) {
      Decision expected = first.decisions.get(i);
      Decision actual = other.decisions.get(i);
      if (!expected.equals(actual)) {
        throw new StoresDisagreeException(
            "the stores disagree on "
                + first.algorithm
                + " at event "
                + (before + i + 1)
                + " (time "
                + Lane.time(batch.times[i])
                + ", clock "
                + Lane.time(batch.clocks[i])
                + ", key '"
                + batch.names[i]
                + "', permits "
                + batch.permits[i]
                + "): "
                + first.store
                + " says "
                + expected
                + ", "
                + other.store
                + " says "
                + actual);
      }
    }
  }

  private List<RateLimiterProvider> chosenProviders() {
    List<RateLimiterProvider> all = RateLimiters.providers();
    Set<String> wanted =
        !stores.isEmpty()
            ? stores
            : resources.containsKey(RedissonClient.class)
                ? Set.of("memory", REDIS)
                : Set.of("memory");
    List<RateLimiterProvider> onStores =
        all.stream().filter(p -> wanted.contains(p.store())).toList();
    requireAll("store", stores, names(all, RateLimiterProvider::store));
    requireAll("algorithm", algorithms, names(onStores, RateLimiterProvider::algorithm));
    return onStores.stream()
        .filter(p -> algorithms.isEmpty() || algorithms.contains(p.algorithm()))
        .toList();
  }

  private static Set<String> names(
      List<RateLimiterProvider> providers, Function<RateLimiterProvider, String> name) {
    return providers.stream().map(name).collect(Collectors.toCollection(TreeSet::new));
  }

  static void requireAll(String what, Collection<String> wanted, Collection<String> there) {
    for (String name : wanted) {
      if (!there.contains(name)) {
        throw new IllegalArgumentException(
            what
                + " '"
                + name
                + "' is not on the class path, which has "
                + (there.isEmpty() ? "none" : String.join(", ", there)));
      }
    }
  }

  static String freshNamespace() {
    return RANDOM
        .ints(NAMESPACE_LENGTH, 0, 36)
        .mapToObj(digit -> String.valueOf(Character.forDigit(digit, 36)))
        .collect(Collectors.joining());
  }
}
