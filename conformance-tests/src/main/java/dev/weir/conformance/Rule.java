package dev.weir.conformance;

import java.util.Arrays;

/**
 * A rule is one numbered promise that a limiter is checked for.
 *
 * <p>The numbers are stable; {@code docs/rules.md} has an entry for each, at {@link #anchor()}.
 */
public enum Rule {
  /** Rule 1.1. */
  ADMISSION_BOUND(
      "1.1",
      Level.MUST,
      "Over any half-open interval the admitted permits of a key never exceed"
          + " policy.admissionBound(interval).",
      "The one promise a limiter exists for: whatever the traffic, no more than this gets through.",
      "Look for permits that are taken but not counted: requests at one instant that share a"
          + " record, a weight that is ignored, state that expires while it still matters."),
  /** Rule 1.2. */
  ADMITS_WHAT_FITS(
      "1.2",
      Level.MUST,
      "A request that the policy can admit is admitted: on a new key, and after resetAfter, any n"
          + " up to the limit.",
      "A limiter that denies what it could admit is safe and useless.",
      "Look for a comparison with < where <= belongs, and for state that never goes away."),
  /** Rule 1.3. */
  DENIALS_ARE_FREE(
      "1.3",
      Level.MUST,
      "A denied request changes no later decision, and writes nothing.",
      "Otherwise a client that keeps asking is never admitted again, and an attacker can lock a key"
          + " that is not theirs.",
      "Look for a count, a time or a level that is written before or although the request is"
          + " denied."),
  /** Rule 1.4. */
  WHOLE_OR_NOT_AT_ALL(
      "1.4",
      Level.MUST,
      "A request is admitted whole or not at all.",
      "A request for n permits is one piece of work: n requests for one permit at the same instant"
          + " cost the same, and a denied one costs nothing.",
      "Look for a weight that is ignored or clamped, and for permits taken before the check."),
  /** Rule 1.5. */
  NEVER_MEANS_OVER_LIMIT(
      "1.5",
      Level.WHEN_DECLARED,
      "retryAfter is NEVER if and only if permits exceed the limit; such a request is denied and"
          + " takes nothing.",
      "A caller that is told a wait for what can never be admitted waits for ever.",
      "Compare the permits with the limit before anything else, without arithmetic that overflows."),
  /** Rule 2.1. */
  REMAINING_IN_RANGE(
      "2.1",
      Level.MUST,
      "0 <= remaining <= limit, limit is the policy's, and after a lowered limit remaining is"
          + " max(0, limit - used).",
      "Clients show and divide by these numbers.",
      "Clamp what remains, and take the limit from the policy of the asker, not from the store."),
  /** Rule 2.2. */
  REMAINING_IS_TRUE(
      "2.2",
      Level.WHEN_DECLARED,
      "remaining of tryAcquire is true: at that instant so many are admitted and one more is not.",
      "A client that plans a batch by this number must not be refused half-way.",
      "Look for a number computed before the permits were taken, or by rounding."),
  /** Rule 2.3. */
  RETRY_AFTER_ZERO_WHEN_ALLOWED(
      "2.3",
      Level.MUST,
      "retryAfter is zero exactly when allowed.",
      "A denied client that is told to wait no time at all asks in a tight loop.",
      "Round waits up, not down, and compute them from the time of this decision."),
  /** Rule 2.4. */
  RETRY_AFTER_SUFFICES(
      "2.4",
      Level.WHEN_DECLARED,
      "After retryAfter without other traffic the same request is admitted.",
      "A client that did as it was told must not be refused again.",
      "The wait is until enough permits are free for this request, not until the oldest one is."),
  /** Rule 2.5. */
  RETRY_AFTER_IS_SHORTEST(
      "2.5",
      Level.WHEN_DECLARED,
      "One microsecond before retryAfter is over the same request is not admitted.",
      "Telling everybody to wait the whole window wastes most of what the policy allows.",
      "Look for a wait that is always the window, or is rounded to a coarser unit."),
  /** Rule 2.6. */
  RESET_AFTER_SUFFICES(
      "2.6",
      Level.WHEN_DECLARED,
      "After resetAfter (of tryAcquire) without traffic the key behaves as new.",
      "Clients and caches forget a key after this time.",
      "The wait is until the last permit is gone and the last fraction refilled."),
  /** Rule 2.7. */
  RESET_AFTER_IS_SHORTEST(
      "2.7",
      Level.WHEN_DECLARED,
      "One microsecond before resetAfter is over the key does not behave as new.",
      "A wait that is too long keeps clients away that could come.",
      "Look for a wait that is always the window, or counts from now instead of the last permit."),
  /** Rule 2.8. */
  PEEK_AND_RESET(
      "2.8",
      Level.WHEN_DECLARED,
      "peek answers what tryAcquire would, and changes nothing; after reset the key behaves as new.",
      "A dashboard must not use up what it shows, and an operator's reset must be complete.",
      "Let peek and tryAcquire share the decision, and only one of them write."),
  /** Rule 3.1. */
  BACKWARD_CLOCK(
      "3.1",
      Level.WHEN_DECLARED,
      "When the clock steps back, 1.1 holds in true time (with forward jumps that sum to F, for"
          + " interval + F), no request that fits waits longer than twice the life, and 2.2 to 2.6"
          + " hold.",
      "Clocks are set back: by time servers, by hand, by moving to another machine. The limit must"
          + " hold, and nobody may be locked out.",
      "Let time stand still at the last admission while the clock is behind it by no more than the"
          + " life of the state, and re-base the state beyond that; never store an older time."),
  /** Rule 3.2. */
  PAUSES_SPLIT(
      "3.2",
      Level.MUST,
      "Splitting a pause, or polling without success during it, changes nothing.",
      "Asking more often must not lose the fraction of a permit that had grown.",
      "Look for a refill that is rounded and stored at each call."),
  /** Rule 3.3. */
  TIME_SHIFT(
      "3.3",
      Level.MUST,
      "Shifting a whole trace in time (by whole windows where they are aligned) changes nothing.",
      "What is tested today must hold tomorrow.",
      "Look for times kept in a coarser unit, in a narrower type or in floating point."),
  /** Rule 3.4. */
  HALF_OPEN(
      "3.4",
      Level.MUST,
      "Windows are half-open: an event exactly one window old no longer counts.",
      "A client that asks once a window must always be admitted.",
      "Look for < and <= at the edge of the window."),
  /** Rule 3.5. */
  TWO_CENTURIES(
      "3.5",
      Level.MUST,
      "A pause of two centuries overflows nothing.",
      "The product of a pause and a rate is where 64 bits, or the 53 of a double, run out.",
      "Compare the pause with the time until the key is as new before multiplying."),
  /** Rule 4.1. */
  KEYS_INDEPENDENT(
      "4.1",
      Level.MUST,
      "Traffic on other keys changes nothing.",
      "One customer's traffic is no business of another's.",
      "Look for state that is kept per limiter instead of per key."),
  /** Rule 4.2. */
  ANY_KEY(
      "4.2",
      Level.MUST,
      "Any non-empty string is a key, no two collide.",
      "Keys are made from what users send; two that collide share a limit, and one can be made to"
          + " use up another's.",
      "Escape separators in keys, never trim or fold them, and let no encoding replace characters."),
  /** Rule 4.3. */
  NAMESPACES_INDEPENDENT(
      "4.3",
      Level.WHEN_DECLARED,
      "Namespaces and algorithms share nothing.",
      "Two limiters that happen to see the same key must not use each other's state.",
      "Put the algorithm and the escaped namespace into the stored key."),
  /** Rule 5.1. */
  BAD_ARGUMENTS(
      "5.1",
      Level.MUST,
      "Bad arguments are refused with the documented exception and change nothing.",
      "Negative permits that are taken at their word give permits away.",
      "Check the arguments first: NullPointerException for a null key, IllegalArgumentException for"
          + " an empty key or permits below 1, in the asynchronous form too, at once."),
  /** Rule 6.1. */
  THREADS(
      "6.1",
      Level.MUST,
      "N threads at one instant are admitted exactly as often as one thread.",
      "Limits matter most when many ask at once.",
      "Look for a decision that reads, decides and writes in more than one atomic step."),
  /** Rule 6.2. */
  TWO_LIMITERS(
      "6.2",
      Level.WHEN_DECLARED,
      "Two limiters on one store and namespace act as one.",
      "A service runs on several machines, and each has its own limiter object.",
      "Keep nothing that matters in the limiter object."),
  /** Rule 7.1. */
  STORE_FAILURE(
      "7.1",
      Level.WHEN_DECLARED,
      "A store failure surfaces as RateLimiterUnavailableException, never as a decision.",
      "Whether to admit or to deny without an answer is the caller's choice.",
      "Catch nothing that is not turned into RateLimiterUnavailableException."),
  /** Rule 7.2. */
  STATE_RELEASED(
      "7.2",
      Level.WHEN_DECLARED,
      "Idle state is released in bounded time, never before it has lost its meaning.",
      "Keys come and go; memory that only grows ends in an outage.",
      "Give every write an expiry, of at least the time for which the state matters."),
  /** Rule 7.3. */
  LOST_REPLY(
      "7.3",
      Level.WHEN_DECLARED,
      "A call whose reply is lost is charged at most once.",
      "A client library that sends a call again by itself charges for work that nobody did.",
      "Switch off retries below the limiter."),
  /** Rule 8.1. */
  FIXED_WINDOW_MODEL(
      "8.1",
      Level.WHEN_DECLARED,
      "Every decision equals that of the reference model of the fixed window.",
      "The other rules say what must not go wrong; this one says what must happen.",
      "Compare the first decision that differs with the definition in docs/algorithms.md."),
  /** Rule 9.1. */
  SLIDING_WINDOW_MODEL(
      "9.1",
      Level.WHEN_DECLARED,
      "Every decision equals that of the reference model of the sliding window log.",
      "The other rules say what must not go wrong; this one says what must happen.",
      "Compare the first decision that differs with the definition in docs/algorithms.md."),
  /** Rule 10.1. */
  TOKEN_BUCKET_MODEL(
      "10.1",
      Level.WHEN_DECLARED,
      "Every decision equals that of the reference model of the token bucket.",
      "The other rules say what must not go wrong; this one says what must happen.",
      "Compare the first decision that differs with the definition in docs/algorithms.md."),
  /** Rule 11.1. */
  SLIDING_WINDOW_COUNTER_MODEL(
      "11.1",
      Level.WHEN_DECLARED,
      "Every decision equals that of the reference model of the sliding window counter.",
      "The other rules say what must not go wrong; this one says what must happen.",
      "Compare the first decision that differs with the definition in docs/algorithms.md."),
  /** Rule S.1. */
  SUITE_FINDS_THE_FLAW(
      "S.1",
      Level.MUST,
      "For the fixed window the suite finds and shrinks a trace that admits 2 x limit within one"
          + " window's length; for the sliding window log it finds none.",
      "A suite that cannot find the best known flaw proves nothing by finding none.",
      "This rule is about the suite itself, no limiter can break it.");

  /** How binding a rule is. */
  public enum Level {
    /** Every limiter is held to it as far as it can be checked. */
    MUST,
    /** A limiter that declares the feature is held to it. */
    WHEN_DECLARED
  }

  private final String id;
  private final Level level;
  private final String statement;
  private final String intent;
  private final String hint;

  Rule(String id, Level level, String statement, String intent, String hint) {
    this.id = id;
    this.level = level;
    this.statement = statement;
    this.intent = intent;
    this.hint = hint;
  }

  /**
   * Returns the rule of a number.
   *
   * @param id the number, such as {@code 2.4}
   * @return the rule
   * @throws IllegalArgumentException if there is none
   */
  public static Rule of(String id) {
    return Arrays.stream(values())
        .filter(rule -> rule.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no rule '" + id + "'"));
  }

  /**
   * Returns the number.
   *
   * @return such as {@code 2.4}
   */
  public String id() {
    return id;
  }

  /**
   * Returns how binding the rule is.
   *
   * @return the level
   */
  public Level level() {
    return level;
  }

  /**
   * Returns what the rule says.
   *
   * @return a sentence
   */
  public String statement() {
    return statement;
  }

  /**
   * Returns why the rule is there.
   *
   * @return one or two sentences
   */
  public String intent() {
    return intent;
  }

  /**
   * Returns where to look when the rule is violated.
   *
   * @return one or two sentences
   */
  public String hint() {
    return hint;
  }

  /**
   * Returns the place of the rule in {@code docs/rules.md}.
   *
   * @return such as {@code rule-2-4}
   */
  public String anchor() {
    return "rule-" + id.toLowerCase(java.util.Locale.ROOT).replace('.', '-');
  }
}
