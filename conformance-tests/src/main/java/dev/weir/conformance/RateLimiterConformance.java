package dev.weir.conformance;

import static dev.weir.conformance.Feature.BOUNDED_STATE;
import static dev.weir.conformance.Feature.CLOCK_STEPS;
import static dev.weir.conformance.Feature.EXACT_RESET_AFTER;
import static dev.weir.conformance.Feature.EXACT_RETRY_AFTER;
import static dev.weir.conformance.Feature.FAILURES;
import static dev.weir.conformance.Feature.NAMESPACES;
import static dev.weir.conformance.Feature.OVERSIZE;
import static dev.weir.conformance.Feature.PEEK;
import static dev.weir.conformance.Feature.REMAINING;
import static dev.weir.conformance.Feature.RESET;
import static dev.weir.conformance.Feature.RESET_AFTER;
import static dev.weir.conformance.Feature.RETRY_AFTER;
import static dev.weir.conformance.Feature.SHARED_STATE;
import static dev.weir.conformance.Feature.VIRTUAL_TIME;
import static dev.weir.conformance.Feature.WEIGHTS;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.internal.Draft;
import dev.weir.conformance.internal.Features;
import dev.weir.conformance.internal.ReferenceLimiter;
import dev.weir.conformance.internal.Subject;
import dev.weir.conformance.internal.Suite;
import dev.weir.conformance.internal.jqwik.Generated;
import dev.weir.conformance.internal.jqwik.Verifies;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rules that every limiter can be checked for, whatever its algorithm.
 *
 * <p>An author extends this class, or the one of their algorithm, and overrides {@link
 * #create(Policy, Fixture)}; {@link Supports} on the class declares what the limiter promises. Any
 * launcher of the JUnit platform then runs one property a rule. A violation is thrown as {@link
 * Violation}, whose message is the report.
 *
 * <p>The suite makes a limiter for every run of a trace, and resets the keys that it used. How many
 * traces a rule is tried with is set by the system property {@code weir.conformance.tries}, the
 * seed they are made from by {@code weir.conformance.seed}.
 *
 * @param <P> the type of the policies
 */
@Supports
public abstract class RateLimiterConformance<P extends Policy> {

  private @Nullable Suite<P> suite;

  /** Creates the suite. */
  protected RateLimiterConformance() {}

  /**
   * Returns the policies to test with: simple ones with small limits first, for traces are shrunk
   * to the first one with which they fail, and a few extreme ones.
   *
   * @return the policies, at least one
   */
  protected abstract List<P> policies();

  /**
   * Creates a limiter under test.
   *
   * @param policy what it is to keep
   * @param fixture its clock and its namespace
   * @return a new limiter
   */
  protected abstract RateLimiter create(P policy, Fixture fixture);

  /**
   * Returns the resolution of the limiter's clock: all times that the suite uses are multiples of
   * it, and where a rule says one microsecond the suite says one such step.
   *
   * @return whole microseconds, by default one
   */
  protected Duration resolution() {
    return Duration.of(1, ChronoUnit.MICROS);
  }

  /**
   * Returns the time by whose multiples a trace can be shifted without a change, see rule 3.3.
   *
   * @param policy the policy
   * @return whole microseconds, by default the life of the policy
   */
  protected Duration alignment(P policy) {
    return policy.life();
  }

  /**
   * Returns the policy with another limit, for the rules about a limit that is changed while there
   * is state; used with {@link Feature#SHARED_STATE}.
   *
   * @param policy the policy
   * @param limit the other limit, at least 1
   * @return the other policy, or empty, as by default, where limits are not changed
   */
  protected Optional<P> withLimit(P policy, long limit) {
    return Optional.empty();
  }

  /**
   * Returns limiters that must share nothing with the one under test although they have its store,
   * namespace and keys, such as those of other algorithms, see rule 4.3.
   *
   * @param fixture the fixture of the limiter under test
   * @return the limiters, by default none
   */
  protected List<RateLimiter> neighbours(Fixture fixture) {
    return List.of();
  }

  /**
   * Returns control over the failures of the store; called with {@link Feature#FAILURES}.
   *
   * @param fixture the fixture of the limiter under test, which was created before
   * @return the control
   * @throws UnsupportedOperationException unless it is overridden
   */
  protected StoreFailures failures(Fixture fixture) {
    throw new UnsupportedOperationException("override failures(Fixture) to declare " + FAILURES);
  }

  /**
   * Returns how many keys have state after the housekeeping that time alone would bring about;
   * called with {@link Feature#BOUNDED_STATE}.
   *
   * @param fixture the fixture of the limiter under test
   * @return the number of keys
   * @throws UnsupportedOperationException unless it is overridden
   */
  protected long retainedKeys(Fixture fixture) {
    throw new UnsupportedOperationException(
        "override retainedKeys(Fixture) to declare " + BOUNDED_STATE);
  }

  /**
   * Checks a rule again with the trace of a report: paste the line into an ordinary test, and it
   * fails with the same report until the fault is mended.
   *
   * @param line the text between the quotes of the report's line {@code replay("...")}
   * @throws IllegalArgumentException if the line has another form, or its policy is none of {@link
   *     #policies()}
   * @throws Violation if the rule is violated
   */
  public final void replay(String line) {
    suite().replay(line);
  }

  /** The reference model of the algorithm. */
  Optional<? extends ReferenceLimiter<?>> reference(P policy, InstantSource clock) {
    return Optional.empty();
  }

  final void verify(Rule rule, Draft draft) {
    suite().verify(rule, draft);
  }

  private Suite<P> suite() {
    if (suite == null) {
      suite = new Suite<>(new Author());
    }
    return suite;
  }

  @Verifies(Rule.ADMISSION_BOUND)
  void rule1_1_admitsNoMoreThanTheBound(@Generated Draft draft) {
    verify(Rule.ADMISSION_BOUND, draft);
  }

  @Verifies(Rule.ADMITS_WHAT_FITS)
  void rule1_2_admitsWhatFits(@Generated Draft draft) {
    verify(Rule.ADMITS_WHAT_FITS, draft);
  }

  @Verifies(Rule.DENIALS_ARE_FREE)
  @Requires(VIRTUAL_TIME)
  void rule1_3_denialsChangeNothing(@Generated Draft draft) {
    verify(Rule.DENIALS_ARE_FREE, draft);
  }

  @Verifies(Rule.WHOLE_OR_NOT_AT_ALL)
  @Requires({VIRTUAL_TIME, WEIGHTS})
  void rule1_4_admitsWholeOrNotAtAll(@Generated Draft draft) {
    verify(Rule.WHOLE_OR_NOT_AT_ALL, draft);
  }

  @Verifies(Rule.NEVER_MEANS_OVER_LIMIT)
  @Requires({VIRTUAL_TIME, OVERSIZE, RETRY_AFTER, WEIGHTS})
  void rule1_5_neverMeansOverTheLimit(@Generated Draft draft) {
    verify(Rule.NEVER_MEANS_OVER_LIMIT, draft);
  }

  @Verifies(Rule.REMAINING_IN_RANGE)
  void rule2_1_remainingAndLimitAreInRange(@Generated Draft draft) {
    verify(Rule.REMAINING_IN_RANGE, draft);
  }

  @Verifies(Rule.REMAINING_IS_TRUE)
  @Requires({VIRTUAL_TIME, REMAINING})
  void rule2_2_remainingIsTrue(@Generated Draft draft) {
    verify(Rule.REMAINING_IS_TRUE, draft);
  }

  @Verifies(Rule.RETRY_AFTER_ZERO_WHEN_ALLOWED)
  void rule2_3_retryAfterIsZeroExactlyWhenAllowed(@Generated Draft draft) {
    verify(Rule.RETRY_AFTER_ZERO_WHEN_ALLOWED, draft);
  }

  @Verifies(Rule.RETRY_AFTER_SUFFICES)
  @Requires({VIRTUAL_TIME, RETRY_AFTER})
  void rule2_4_retryAfterSuffices(@Generated Draft draft) {
    verify(Rule.RETRY_AFTER_SUFFICES, draft);
  }

  @Verifies(Rule.RETRY_AFTER_IS_SHORTEST)
  @Requires({VIRTUAL_TIME, RETRY_AFTER, EXACT_RETRY_AFTER})
  void rule2_5_retryAfterIsTheShortestWait(@Generated Draft draft) {
    verify(Rule.RETRY_AFTER_IS_SHORTEST, draft);
  }

  @Verifies(Rule.RESET_AFTER_SUFFICES)
  @Requires({VIRTUAL_TIME, RESET_AFTER})
  void rule2_6_resetAfterSuffices(@Generated Draft draft) {
    verify(Rule.RESET_AFTER_SUFFICES, draft);
  }

  @Verifies(Rule.RESET_AFTER_IS_SHORTEST)
  @Requires({VIRTUAL_TIME, RESET_AFTER, EXACT_RESET_AFTER, WEIGHTS})
  void rule2_7_resetAfterIsTheShortestWait(@Generated Draft draft) {
    verify(Rule.RESET_AFTER_IS_SHORTEST, draft);
  }

  @Verifies(Rule.PEEK_AND_RESET)
  @Requires(
      value = VIRTUAL_TIME,
      anyOf = {PEEK, RESET})
  void rule2_8_peekAnswersAndResetForgets(@Generated Draft draft) {
    verify(Rule.PEEK_AND_RESET, draft);
  }

  @Verifies(Rule.BACKWARD_CLOCK)
  @Requires({VIRTUAL_TIME, CLOCK_STEPS})
  void rule3_1_standsBackwardClockSteps(@Generated Draft draft) {
    verify(Rule.BACKWARD_CLOCK, draft);
  }

  @Verifies(Rule.PAUSES_SPLIT)
  @Requires(VIRTUAL_TIME)
  void rule3_2_splitPausesChangeNothing(@Generated Draft draft) {
    verify(Rule.PAUSES_SPLIT, draft);
  }

  @Verifies(Rule.TIME_SHIFT)
  @Requires(VIRTUAL_TIME)
  void rule3_3_anotherTimeChangesNothing(@Generated Draft draft) {
    verify(Rule.TIME_SHIFT, draft);
  }

  @Verifies(Rule.HALF_OPEN)
  @Requires(VIRTUAL_TIME)
  void rule3_4_whatIsOneLifeOldNoLongerCounts(@Generated Draft draft) {
    verify(Rule.HALF_OPEN, draft);
  }

  @Verifies(Rule.TWO_CENTURIES)
  @Requires(VIRTUAL_TIME)
  void rule3_5_standsAPauseOfTwoCenturies(@Generated Draft draft) {
    verify(Rule.TWO_CENTURIES, draft);
  }

  @Verifies(Rule.KEYS_INDEPENDENT)
  @Requires(VIRTUAL_TIME)
  void rule4_1_otherKeysChangeNothing(@Generated Draft draft) {
    verify(Rule.KEYS_INDEPENDENT, draft);
  }

  @Verifies(Rule.ANY_KEY)
  void rule4_2_anyStringIsAKeyOfItsOwn(@Generated Draft draft) {
    verify(Rule.ANY_KEY, draft);
  }

  @Verifies(Rule.NAMESPACES_INDEPENDENT)
  @Requires({VIRTUAL_TIME, NAMESPACES})
  void rule4_3_otherNamespacesChangeNothing(@Generated Draft draft) {
    verify(Rule.NAMESPACES_INDEPENDENT, draft);
  }

  @Verifies(Rule.BAD_ARGUMENTS)
  @Requires(VIRTUAL_TIME)
  void rule5_1_refusesBadArguments(@Generated Draft draft) {
    verify(Rule.BAD_ARGUMENTS, draft);
  }

  @Verifies(Rule.THREADS)
  void rule6_1_manyThreadsAreAdmittedAsOne(@Generated Draft draft) {
    verify(Rule.THREADS, draft);
  }

  @Verifies(Rule.TWO_LIMITERS)
  @Requires({VIRTUAL_TIME, SHARED_STATE})
  void rule6_2_twoLimitersActAsOne(@Generated Draft draft) {
    verify(Rule.TWO_LIMITERS, draft);
  }

  @Verifies(Rule.STORE_FAILURE)
  @Requires({VIRTUAL_TIME, FAILURES})
  void rule7_1_storeFailuresAreNoDecisions(@Generated Draft draft) {
    verify(Rule.STORE_FAILURE, draft);
  }

  @Verifies(Rule.STATE_RELEASED)
  @Requires({VIRTUAL_TIME, BOUNDED_STATE})
  void rule7_2_idleStateIsReleased(@Generated Draft draft) {
    verify(Rule.STATE_RELEASED, draft);
  }

  @Verifies(Rule.LOST_REPLY)
  @Requires({VIRTUAL_TIME, FAILURES})
  void rule7_3_lostRepliesAreChargedAtMostOnce(@Generated Draft draft) {
    verify(Rule.LOST_REPLY, draft);
  }

  /** The author's class as the suite sees it. */
  private final class Author implements Subject<P> {

    private final Set<Feature> features = Features.of(RateLimiterConformance.this.getClass());
    private final List<P> policies = List.copyOf(RateLimiterConformance.this.policies());

    @Override
    public String name() {
      Class<?> type = RateLimiterConformance.this.getClass();
      return type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
    }

    @Override
    public Set<Feature> features() {
      return features;
    }

    @Override
    public long tick() {
      return TimeUnit.MICROSECONDS.convert(resolution());
    }

    @Override
    public List<P> policies() {
      return policies;
    }

    @Override
    public RateLimiter create(P policy, Fixture fixture) {
      return RateLimiterConformance.this.create(policy, fixture);
    }

    @Override
    public long alignment(P policy) {
      return TimeUnit.MICROSECONDS.convert(RateLimiterConformance.this.alignment(policy));
    }

    @Override
    public Optional<P> withLimit(P policy, long limit) {
      return RateLimiterConformance.this.withLimit(policy, limit);
    }

    @Override
    public Optional<? extends ReferenceLimiter<?>> reference(P policy, InstantSource clock) {
      return RateLimiterConformance.this.reference(policy, clock);
    }

    @Override
    public List<RateLimiter> neighbours(Fixture fixture) {
      return RateLimiterConformance.this.neighbours(fixture);
    }

    @Override
    public StoreFailures failures(Fixture fixture) {
      return RateLimiterConformance.this.failures(fixture);
    }

    @Override
    public long retainedKeys(Fixture fixture) {
      return RateLimiterConformance.this.retainedKeys(fixture);
    }
  }
}
