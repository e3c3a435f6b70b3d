package dev.weir.conformance.internal;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import org.jspecify.annotations.Nullable;

/** A judge decides whether a limiter keeps one rule when it is put through a scenario. */
interface Judge {

  /** Returns where the rule is broken, or null if it is not. */
  @Nullable Finding judge(Case<?> c, Scenario scenario);

  /** The judge of a rule. */
  static Judge of(Rule rule) {
    Judge judge =
        switch (rule) {
          case ADMISSION_BOUND -> onTrace(TraceJudges::admissionBound);
          case ADMITS_WHAT_FITS -> onTrace(TraceJudges::admitsWhatFits);
          case DENIALS_ARE_FREE -> onTrace(PairJudges::denialsAreFree);
          case WHOLE_OR_NOT_AT_ALL -> onTrace(PairJudges::wholeOrNotAtAll);
          case NEVER_MEANS_OVER_LIMIT -> onTrace(PairJudges::neverMeansOverLimit);
          case REMAINING_IN_RANGE -> onTrace(TraceJudges::remainingInRange);
          case REMAINING_IS_TRUE -> onTrace(TraceJudges::remainingIsTrue);
          case RETRY_AFTER_ZERO_WHEN_ALLOWED -> onTrace(TraceJudges::retryAfterZeroWhenAllowed);
          case RETRY_AFTER_SUFFICES -> onTrace(TraceJudges::retryAfterSuffices);
          case RETRY_AFTER_IS_SHORTEST -> onTrace(TraceJudges::retryAfterIsShortest);
          case RESET_AFTER_SUFFICES -> onTrace(PairJudges::resetAfterSuffices);
          case RESET_AFTER_IS_SHORTEST -> onTrace(PairJudges::resetAfterIsShortest);
          case PEEK_AND_RESET -> onTrace(PairJudges::peekAndReset);
          case BACKWARD_CLOCK -> onTrace(TraceJudges::backwardClock);
          case PAUSES_SPLIT -> onTrace(PairJudges::pausesSplit);
          case TIME_SHIFT -> onTrace(PairJudges::timeShift);
          case HALF_OPEN -> onTrace(TraceJudges::halfOpen);
          case TWO_CENTURIES -> onTrace(PairJudges::twoCenturies);
          case KEYS_INDEPENDENT -> onTrace(PairJudges::keysIndependent);
          case ANY_KEY -> onTrace(TraceJudges::anyKey);
          case NAMESPACES_INDEPENDENT -> NamespaceJudge::judge;
          case BAD_ARGUMENTS -> onTrace(PairJudges::badArguments);
          case THREADS -> onTrace(ThreadJudges::threads);
          case TWO_LIMITERS -> onTrace(PairJudges::twoLimiters);
          case STORE_FAILURE -> onTrace(StoreJudges::storeFailure);
          case STATE_RELEASED -> onTrace(StoreJudges::stateReleased);
          case LOST_REPLY -> onTrace(StoreJudges::lostReply);
          case FIXED_WINDOW_MODEL,
              SLIDING_WINDOW_MODEL,
              TOKEN_BUCKET_MODEL,
              SLIDING_WINDOW_COUNTER_MODEL ->
              onTrace(ModelJudge::judge);
          case SUITE_FINDS_THE_FLAW ->
              throw new IllegalArgumentException("rule S.1 is about the suite, not a limiter");
        };
    return judge;
  }

  /** Judges what a run came to. */
  interface OfTrace {
    @Nullable Finding judge(Case<?> c, Trace trace);
  }

  private static Judge onTrace(OfTrace judge) {
    return (c, scenario) -> {
      Trace trace = c.run(scenario);
      Event failure = trace.failure();
      // What is wrong with a decision that cannot even be made, the rule of that component says.
      if (failure != null && trace.malformed() == null) {
        return new Finding(
            trace, trace.size(), "a decision", "threw " + failure.thrown(), null, "");
      }
      return judge.judge(c, trace);
    };
  }
}
