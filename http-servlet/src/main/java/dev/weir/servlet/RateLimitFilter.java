package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.internal.ListenerGuard;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A servlet filter that lets a request pass if its limiters admit it, tells the client its quota in
 * response headers, and answers 429 if they do not.
 *
 * <p>Made in Java by {@link #builder(RateLimiter)}, or by the container from a {@code web.xml} that
 * names this class; {@code docs/http.md} lists the init parameters.
 *
 * <p><b>Answers.</b> Headers are set before the rest of the chain runs. A denied request gets 429
 * with {@code Retry-After}, whole seconds rounded up and so never too short, unless it can never be
 * admitted. A limiter without an answer leads to what {@link Builder#onUnavailable(WhenUnavailable)
 * onUnavailable} says, by default 503; never to 500 or 429. The chain does not run for a denied
 * request, and a response that is committed already is not touched.
 *
 * <p><b>What counts.</b> Each policy counts a request at most once, whatever forwards and
 * asynchronous dispatches it goes through; includes, error pages and CORS preflights are not
 * counted. Policies are asked in their order, and the first that denies ends it: what the earlier
 * ones admitted stays taken, so the tightest policy belongs first. A request that no policy matches
 * passes.
 *
 * <p><b>Blocking.</b> The filter asks {@link RateLimiter#tryAcquire(String, long)} in the request's
 * thread, which may block for the store's answer up to the limiter's own deadline. It never peeks
 * first, so parallel requests cannot slip through between a look and a take.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Map it with asynchronous support if a
 * servlet behind it is asynchronous.
 */
public final class RateLimitFilter implements Filter {

  private static final Logger LOGGER = System.getLogger(RateLimitFilter.class.getName());

  private volatile @Nullable Settings settings;

  /**
   * Creates a filter that {@link #init(FilterConfig)} sets up from init parameters. This is for
   * containers; Java code calls {@link #builder(RateLimiter)}.
   */
  public RateLimitFilter() {}

  private RateLimitFilter(Settings settings) {
    this.settings = settings;
  }

  /**
   * Begins a filter with its first policy, which is called {@code default}, counts every request
   * and takes the client's address as key.
   *
   * @param limiter what admits or denies
   * @return a builder of which that policy is the current one
   * @throws NullPointerException if {@code limiter} is null
   */
  public static Builder builder(RateLimiter limiter) {
    return new Builder(limiter);
  }

  /**
   * Reads the init parameters, unless this filter came from a builder.
   *
   * @param config the filter's name, parameters and servlet context
   * @throws ServletException if a parameter is unknown, missing or wrong; the message says which
   */
  @Override
  public void init(FilterConfig config) throws ServletException {
    if (settings == null) {
      settings = InitParameters.read(config);
    }
  }

  /**
   * Asks the limiters, sets the headers, and runs the chain or answers the request itself.
   *
   * @param request the request; passes if it is not HTTP
   * @param response the response
   * @param chain what comes after this filter
   * @throws IOException if the chain or a rejection handler throws it, or the answer cannot be
   *     written
   * @throws ServletException if the chain or a rejection handler throws it
   * @throws RuntimeException if the chain, a rejection handler, a key function or a cost function
   *     throws it
   * @throws IllegalStateException if the filter was not made by a builder and has not been set up
   */
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Settings rules = settings;
    if (rules == null) {
      throw new IllegalStateException("the filter is not set up: call init, or use the builder");
    }
    if (request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse
        && isCounted(httpRequest)
        && !admits(rules, httpRequest, httpResponse)) {
      return;
    }
    chain.doFilter(request, response);
  }

  private static boolean isCounted(HttpServletRequest request) {
    DispatcherType type = request.getDispatcherType();
    boolean preflight =
        "OPTIONS".equals(request.getMethod())
            && request.getHeader("Origin") != null
            && request.getHeader("Access-Control-Request-Method") != null;
    return type != DispatcherType.INCLUDE && type != DispatcherType.ERROR && !preflight;
  }

  private static boolean admits(
      Settings settings, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    List<String> readings = settings.readsPaths() ? RequestPath.readings(request) : List.of("/");
    List<Verdict> verdicts = new ArrayList<>(settings.policies().size());
    Rejection rejection = null;
    for (RequestPolicy policy : settings.policies()) {
      if (!policy.matches(request.getMethod(), readings, settings.ignoreCase())
          || request.getAttribute(policy.counted()) != null) {
        continue;
      }
      request.setAttribute(policy.counted(), true);
      Verdict verdict = decide(settings, policy, request);
      if (verdict != null) {
        verdicts.add(verdict);
        rejection = verdict.rejection();
      } else if (policy.whenUnavailable() == WhenUnavailable.DENY) {
        rejection = HttpAnswer.unavailability(policy.name());
      }
      if (rejection != null) {
        break;
      }
    }
    if (!response.isCommitted()) {
      tell(settings, response, verdicts);
      if (settings.exposed() != null && (rejection != null || !verdicts.isEmpty())) {
        response.addHeader("Access-Control-Expose-Headers", settings.exposed());
      }
      if (rejection != null) {
        reject(settings, request, response, rejection);
      }
    }
    return rejection == null;
  }

  /** Asks the limiter and then its fallback; null if none of them has an answer. */
  private static @Nullable Verdict decide(
      Settings settings, RequestPolicy policy, HttpServletRequest request) {
    String key = policy.keyOf(request, settings.client());
    long permits = policy.permits(request);
    for (RequestPolicy.Limit limit : policy.limits()) {
      try {
        Decision decision = limit.limiter().tryAcquire(key, permits);
        if (limit.down().get() && limit.down().getAndSet(false)) {
          LOGGER.log(Level.INFO, "rate limit policy {0}: its limiter answers again", policy.name());
        }
        settings.notify(l -> l.onDecision(request, policy.name(), key, decision));
        return new Verdict(policy.name(), policy.quotedName(), limit.policyItem(), decision);
      } catch (RateLimiterUnavailableException e) {
        if (!limit.down().getAndSet(true)) {
          LOGGER.log(
              Level.WARNING,
              "rate limit policy " + policy.name() + ": no answer from its limiter",
              e);
        }
        settings.notify(l -> l.onUnavailable(request, policy.name(), key, e));
      }
    }
    return null;
  }

  private static void tell(
      Settings settings, HttpServletResponse response, List<Verdict> verdicts) {
    InstantSource epochClock = settings.epochClock();
    HttpAnswer.write(
        verdicts,
        settings.families(),
        epochClock == null ? null : epochClock.instant(),
        response::setHeader,
        response::addHeader);
  }

  private static void reject(
      Settings settings,
      HttpServletRequest request,
      HttpServletResponse response,
      Rejection rejection)
      throws IOException, ServletException {
    response.resetBuffer();
    response.setStatus(rejection.status());
    HttpAnswer.write(rejection, response::setHeader);
    settings.rejectionHandler().reject(request, response, rejection);
  }

  /** What a filter was told when it was built. */
  record Settings(
      List<RequestPolicy> policies,
      boolean readsPaths,
      ClientAddress client,
      Set<HeaderFamily> families,
      @Nullable InstantSource epochClock,
      boolean ignoreCase,
      @Nullable String exposed,
      RejectionHandler rejectionHandler,
      RateLimitListener listener,
      ListenerGuard guard) {

    void notify(Consumer<RateLimitListener> event) {
      guard.call(() -> event.accept(listener));
    }
  }

  /**
   * A builder of a filter with one or more policies.
   *
   * <p>{@link #name}, {@link #paths}, {@link #methods}, {@link #keyByUser}, {@link #keyBy}, {@link
   * #cost} and {@link #onUnavailable(WhenUnavailable) onUnavailable} describe the current policy,
   * which is the one begun last, by {@link RateLimitFilter#builder(RateLimiter)} or by {@link
   * #policy}. The other methods describe the filter. Not safe for use by several threads.
   */
  public static final class Builder {

    private final List<Draft> drafts = new ArrayList<>();
    private ClientAddress client = ClientAddress.ofPeer();
    private Set<HeaderFamily> families = EnumSet.allOf(HeaderFamily.class);
    private @Nullable InstantSource epochClock;
    private boolean ignoreCase;
    private boolean exposeCors;
    private RejectionHandler rejectionHandler = RejectionHandler.problemJson();
    private RateLimitListener listener = new RateLimitListener() {};

    private Builder(RateLimiter limiter) {
      drafts.add(new Draft(limiter));
    }

    /** A policy that is being described. */
    private static final class Draft {
      final RateLimiter limiter;
      String name = "default";
      List<PathPattern> paths = List.of(PathPattern.EVERYTHING);
      Set<String> methods = Set.of();
      String keyKind = "";
      @Nullable Function<? super HttpServletRequest, ? extends @Nullable String> keyValue;
      ToLongFunction<? super HttpServletRequest> cost = request -> 1;
      WhenUnavailable whenUnavailable = WhenUnavailable.DENY;
      @Nullable RateLimiter fallback;

      Draft(RateLimiter limiter) {
        this.limiter = Objects.requireNonNull(limiter, "limiter");
      }

      RequestPolicy toPolicy() {
        String quotedName = RateLimitFields.quoted(name);
        List<RequestPolicy.Limit> limits = new ArrayList<>();
        limits.add(RequestPolicy.Limit.of(quotedName, limiter));
        if (fallback != null) {
          limits.add(RequestPolicy.Limit.of(quotedName, fallback));
        }
        return new RequestPolicy(
            name,
            quotedName,
            paths,
            methods,
            keyKind,
            keyValue,
            cost,
            List.copyOf(limits),
            whenUnavailable,
            RequestPolicy.newAttribute());
      }
    }

    private Draft current() {
      return drafts.get(drafts.size() - 1);
    }

    /**
     * Begins the next policy, which is asked after those before it, counts every request and takes
     * the client's address as key. It needs a name of its own.
     *
     * @param limiter what admits or denies
     * @return this builder, of which that policy is now the current one
     * @throws NullPointerException if {@code limiter} is null
     */
    public Builder policy(RateLimiter limiter) {
      drafts.add(new Draft(limiter));
      return this;
    }

    /**
     * Names the current policy, as clients see it in the {@code RateLimit} fields and in problem
     * bodies.
     *
     * @param name one or more printable ASCII characters; {@code default} by default
     * @return this builder
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is empty or has other characters
     */
    public Builder name(String name) {
      RateLimitFields.quoted(name);
      current().name = name;
      return this;
    }

    /**
     * Restricts the current policy to paths. They are matched below the context path, decoded, and
     * with {@code //}, {@code /./}, {@code /../}, {@code ;parameters} and a slash at the end
     * resolved. Where a path may be read in several ways, as with {@code %2F}, the policy counts
     * the request if any of them matches.
     *
     * @param patterns paths such as {@code /login}, or {@code /api/*} for {@code /api} and all
     *     below it; at least one
     * @return this builder
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if there is no pattern, or one has another form
     */
    public Builder paths(String... patterns) {
      current().paths = HttpPolicy.parsePaths(Arrays.asList(patterns));
      return this;
    }

    /**
     * Restricts the current policy to methods. {@code GET} includes {@code HEAD}, since servlets
     * answer it by the same code.
     *
     * @param methods names such as {@code POST}, with their case; at least one
     * @return this builder
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if there is no method, or one is not a token
     */
    public Builder methods(String... methods) {
      current().methods = HttpPolicy.checkMethods(Arrays.asList(methods));
      return this;
    }

    /**
     * Lets the current policy count by {@link HttpServletRequest#getRemoteUser()}, with keys {@code
     * user:NAME}; by the client's address where nobody is logged in. The filter must run after
     * whatever logs users in.
     *
     * @return this builder
     */
    public Builder keyByUser() {
      return keyBy("user", HttpServletRequest::getRemoteUser);
    }

    /**
     * Lets the current policy count by what the application knows of a request, with keys {@code
     * KIND:VALUE}. A key of more than 200 bytes is replaced by its SHA-256 digest.
     *
     * <p>Use only what has been verified: who counts by a header that clients may choose freely
     * gives each of them as many quotas as they like.
     *
     * @param kind what the value is, such as {@code tenant}: 1 to 32 of {@code a-z}, {@code 0-9}
     *     and {@code -}, beginning with a letter, not {@code ip4} or {@code ip6}
     * @param value the value of a request; for null and the empty string the client's address
     *     counts
     * @return this builder
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if {@code kind} has another form
     */
    public Builder keyBy(
        String kind, Function<? super HttpServletRequest, ? extends @Nullable String> value) {
      current().keyKind = RequestPolicy.checkKind(kind);
      current().keyValue = Objects.requireNonNull(value, "value");
      return this;
    }

    /**
     * Sets what a request costs in the current policy.
     *
     * @param permits the permits of a request, 1 by default; less than 1 counts as 1, and more than
     *     the limit is never admitted
     * @return this builder
     * @throws NullPointerException if {@code permits} is null
     */
    public Builder cost(ToLongFunction<? super HttpServletRequest> permits) {
      current().cost = Objects.requireNonNull(permits, "permits");
      return this;
    }

    /**
     * Sets what becomes of a request when the current policy's limiter has no answer.
     *
     * @param action what to do, {@link WhenUnavailable#DENY} by default
     * @return this builder
     * @throws NullPointerException if {@code action} is null
     */
    public Builder onUnavailable(WhenUnavailable action) {
      current().whenUnavailable = Objects.requireNonNull(action, "action");
      current().fallback = null;
      return this;
    }

    /**
     * Sets the limiter that is asked when the current policy's limiter has no answer, such as one
     * in memory. Has it none either, the request is denied with 503.
     *
     * @param fallback the other limiter
     * @return this builder
     * @throws NullPointerException if {@code fallback} is null
     */
    public Builder onUnavailable(RateLimiter fallback) {
      current().whenUnavailable = WhenUnavailable.DENY;
      current().fallback = Objects.requireNonNull(fallback, "fallback");
      return this;
    }

    /**
     * Trusts proxies to say in {@code X-Forwarded-For} whom they forward; short for {@link
     * #clientAddress(ClientAddress) clientAddress}{@code (}{@link ClientAddress#behind(String...)
     * ClientAddress.behind}{@code (blocks))}.
     *
     * @param blocks the proxies' own addresses, such as {@code 10.0.0.0/8}; at least one
     * @return this builder
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if there is no block or one is wrong, see {@link
     *     ClientAddress#behind(String...)}
     */
    public Builder trustedProxies(String... blocks) {
      return clientAddress(ClientAddress.behind(blocks));
    }

    /**
     * Sets how the client's address is found.
     *
     * @param client the way, {@link ClientAddress#ofPeer()} by default
     * @return this builder
     * @throws NullPointerException if {@code client} is null
     */
    public Builder clientAddress(ClientAddress client) {
      this.client = Objects.requireNonNull(client, "client");
      return this;
    }

    /**
     * Sets the header families to send.
     *
     * @param families the families, all by default; none at all turns them off
     * @return this builder
     * @throws NullPointerException if an argument is null
     */
    public Builder headers(HeaderFamily... families) {
      Set<HeaderFamily> chosen = EnumSet.noneOf(HeaderFamily.class);
      chosen.addAll(Arrays.asList(families));
      this.families = chosen;
      return this;
    }

    /**
     * Says {@code X-RateLimit-Reset} in seconds since 1970 instead of seconds from now.
     *
     * @param epoch whether to do so, false by default
     * @return this builder
     */
    public Builder epochReset(boolean epoch) {
      return epochReset(epoch ? InstantSource.system() : null);
    }

    Builder epochReset(@Nullable InstantSource clock) {
      this.epochClock = clock;
      return this;
    }

    /**
     * Matches paths without regard to case, for applications that route so.
     *
     * @param ignoreCase whether to do so, false by default
     * @return this builder
     */
    public Builder ignoreCase(boolean ignoreCase) {
      this.ignoreCase = ignoreCase;
      return this;
    }

    /**
     * Lets scripts of other origins read the headers, by adding them to {@code
     * Access-Control-Expose-Headers}. A CORS filter must run before this one.
     *
     * @param expose whether to do so, false by default
     * @return this builder
     */
    public Builder exposeCors(boolean expose) {
      this.exposeCors = expose;
      return this;
    }

    /**
     * Sets who writes the body of a rejection.
     *
     * @param handler the handler, {@link RejectionHandler#problemJson()} by default
     * @return this builder
     * @throws NullPointerException if {@code handler} is null
     */
    public Builder rejectionHandler(RejectionHandler handler) {
      this.rejectionHandler = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * Sets who is told of decisions.
     *
     * @param listener the listener, nobody by default
     * @return this builder
     * @throws NullPointerException if {@code listener} is null
     */
    public Builder listener(RateLimitListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Builds the filter.
     *
     * @return a new filter
     * @throws IllegalArgumentException if two policies have one name
     */
    public RateLimitFilter build() {
      return new RateLimitFilter(settings());
    }

    Settings settings() {
      List<RequestPolicy> policies = drafts.stream().map(Draft::toPolicy).toList();
      Set<String> names = new HashSet<>();
      for (RequestPolicy policy : policies) {
        if (!names.add(policy.name())) {
          throw new IllegalArgumentException(
              "two policies have the name '" + policy.name() + "', each must have its own");
        }
      }
      return new Settings(
          policies,
          !policies.stream().allMatch(RequestPolicy::isForEveryPath),
          client,
          Set.copyOf(families),
          epochClock,
          ignoreCase,
          exposeCors ? exposed() : null,
          rejectionHandler,
          listener,
          new ListenerGuard(listener));
    }

    private String exposed() {
      List<String> names = new ArrayList<>();
      if (families.contains(HeaderFamily.X_RATELIMIT)) {
        names.addAll(
            List.of(RateLimitFields.LIMIT, RateLimitFields.REMAINING, RateLimitFields.RESET));
      }
      if (families.contains(HeaderFamily.IETF)) {
        names.addAll(List.of(RateLimitFields.POLICY, RateLimitFields.RATE_LIMIT));
      }
      names.add(RateLimitFields.RETRY_AFTER);
      return String.join(", ", names);
    }
  }
}
