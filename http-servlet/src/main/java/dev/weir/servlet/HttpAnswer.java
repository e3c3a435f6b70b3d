package dev.weir.servlet;

import dev.weir.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer is what a client is told of its quotas: header fields, and a body of problem
 * details where its request does not pass. It is the answer of a {@link RateLimitFilter}, for
 * frameworks without servlets.
 *
 * <p>Immutable: the methods that add something return a changed copy. Methods do not block and are
 * safe for use by any number of threads.
 */
public final class HttpAnswer {

  private static final HttpAnswer EMPTY = new HttpAnswer(List.of(), null);
  private static final Set<HeaderFamily> FAMILIES = EnumSet.allOf(HeaderFamily.class);
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final OptionalLong RETRY_SECONDS = OptionalLong.of(1);

  private final List<Verdict> verdicts;
  private final @Nullable Rejection rejection;

  private HttpAnswer(List<Verdict> verdicts, @Nullable Rejection rejection) {
    this.verdicts = verdicts;
    this.rejection = rejection;
  }

  /**
   * Returns the answer to a request that no policy counted: it passes, and nothing is told.
   *
   * @return the answer
   */
  public static HttpAnswer empty() {
    return EMPTY;
  }

  /**
   * Returns this answer with the decision of one more policy. Unless it is allowed, the request
   * does not pass.
   *
   * @param policy the policy
   * @param decision what its limiter decided
   * @return the changed copy
   * @throws NullPointerException if an argument is null
   */
  public HttpAnswer with(HttpPolicy policy, Decision decision) {
    Verdict verdict = policy.verdict(decision);
    List<Verdict> all = new ArrayList<>(verdicts);
    all.add(verdict);
    return new HttpAnswer(List.copyOf(all), verdict.rejection());
  }

  /**
   * Returns this answer for a request that does not pass since a limiter had no answer: 503.
   *
   * @param policy the name of the policy whose limiter it is
   * @return the changed copy
   * @throws NullPointerException if {@code policy} is null
   */
  public HttpAnswer unavailable(String policy) {
    return new HttpAnswer(verdicts, unavailability(policy));
  }

  /**
   * Returns why the request does not pass.
   *
   * @return the rejection, which has the status; empty if the request passes
   */
  public Optional<Rejection> rejection() {
    return Optional.ofNullable(rejection);
  }

  /**
   * Writes the header fields, all but {@code Content-Type} and {@code Content-Length}.
   *
   * @param set sets a field of which a response has one, by its name and value
   * @param add adds to a field that is a list
   */
  public void writeFields(BiConsumer<String, String> set, BiConsumer<String, String> add) {
    write(verdicts, FAMILIES, null, set, add);
    if (rejection != null) {
      write(rejection, set);
    }
  }

  /**
   * Returns the body of problem details ({@code application/problem+json}), in ASCII.
   *
   * @return the body; empty if the request passes
   */
  public String problem() {
    return rejection == null ? "" : ProblemJson.json(rejection);
  }

  static Rejection unavailability(String policy) {
    return new Rejection(SERVICE_UNAVAILABLE, policy, RETRY_SECONDS, null);
  }

  /** Writes what the policies decided; as a time of day if one is given, else as a wait. */
  static void write(
      List<Verdict> verdicts,
      Set<HeaderFamily> families,
      @Nullable Instant now,
      BiConsumer<String, String> set,
      BiConsumer<String, String> add) {
    if (verdicts.isEmpty()) {
      return;
    }
    if (families.contains(HeaderFamily.X_RATELIMIT)) {
      Verdict tightest = verdicts.get(0);
      for (Verdict verdict : verdicts) {
        if (verdict.isTighterThan(tightest)) {
          tightest = verdict;
        }
      }
      Decision decision = tightest.decision();
      set(set, RateLimitFields.LIMIT, RateLimitFields.clamped(decision.limit()));
      set(set, RateLimitFields.REMAINING, RateLimitFields.clamped(decision.remaining()));
      set(set, RateLimitFields.RESET, RateLimitFields.reset(decision, now));
    }
    if (families.contains(HeaderFamily.IETF)) {
      // Added, not set: these are lists, to which another filter may have contributed.
      add.accept(RateLimitFields.POLICY, list(verdicts, Verdict::policyItem));
      add.accept(RateLimitFields.RATE_LIMIT, list(verdicts, Verdict::limitItem));
    }
  }

  /** Writes what every rejection has. */
  static void write(Rejection rejection, BiConsumer<String, String> set) {
    set.accept("Cache-Control", "no-store");
    if (rejection.retryAfterSeconds().isPresent()) {
      set(set, RateLimitFields.RETRY_AFTER, rejection.retryAfterSeconds().getAsLong());
    }
  }

  private static void set(BiConsumer<String, String> set, String name, long value) {
    set.accept(name, Long.toString(value));
  }

  private static String list(List<Verdict> verdicts, Function<Verdict, String> item) {
    return verdicts.size() == 1
        ? item.apply(verdicts.get(0))
        : verdicts.stream().map(item).collect(Collectors.joining(", "));
  }
}
