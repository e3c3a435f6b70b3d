package dev.weir.conformance.mutants;

import dev.weir.conformance.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which rules each mutant breaks, and why, written by hand: the suite is held to it exactly.
 *
 * <p>A rule that a mutant is not listed with is one that it keeps.
 */
final class KillMatrix {

  /** The seed that the matrix is run with. */
  static final long SEED = 1;

  /** A mutant with the rules that it breaks, each with the reason. */
  record Row(Class<?> mutant, Map<Rule, String> reasons) {

    Row breaks(String rules, String reason) {
      for (String id : rules.split(" ")) {
        reasons.put(Rule.of(id), reason);
      }
      return this;
    }

    String name() {
      return mutant.getSimpleName();
    }

    String seen() {
      return mutant.getAnnotation(Seen.class).value();
    }
  }

  private static final String MODEL = "the model decides otherwise";
  private static final String STEPS =
      "what it breaks without steps of the clock it also breaks after one";

  private KillMatrix() {}

  /** All mutants, in the order of the algorithms. */
  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(fixedWindows());
    rows.addAll(slidingWindows());
    rows.addAll(tokenBuckets());
    rows.addAll(slidingWindowCounters());
    return rows;
  }

  /** All mutants there are, to be compared with the rows. */
  static List<Class<?>> mutants() {
    return Arrays.asList(
            FixedWindowMutants.class,
            SlidingWindowMutants.class,
            TokenBucketMutants.class,
            SlidingWindowCounterMutants.class)
        .stream()
        .flatMap(group -> Arrays.stream(group.getDeclaredClasses()))
        .<Class<?>>map(mutant -> mutant)
        .toList();
  }

  private static Row mutant(Class<?> mutant) {
    return new Row(mutant, new TreeMap<>());
  }

  private static List<Row> fixedWindows() {
    return List.of(
        mutant(FixedWindowMutants.CountsDenials.class)
            .breaks("1.2", "a key whose only request was denied is not as new")
            .breaks("1.3 1.5", "without the denied request, or the one over the limit, more fits")
            .breaks(
                "1.4", "a denied request for several permits uses up what single ones could have")
            .breaks("2.2", "a denial tells what remains, and then takes it away")
            .breaks("2.4", "a request over the limit fills the window that was waited for")
            .breaks("3.2 3.4", "the polls, or what was denied in the new window, are counted")
            .breaks("6.1", "no order explains denials that leave less than they found")
            .breaks("7.2", "a denial writes state for a key that nobody is admitted for")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.ChecksWithoutTheWeight.class)
            .breaks("1.1", "up to twice the limit less one gets in")
            .breaks("1.4", "the parts of a request are denied that is admitted whole")
            .breaks("2.2", "more than what remains is admitted")
            .breaks("2.7", "the whole limit is admitted as on a new key")
            .breaks("6.1", "no order explains what remains after requests that exceed it")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.ChargesOneForAnyWeight.class)
            .breaks("1.1", "any number of permits gets in with as many requests as the limit")
            .breaks("1.4", "the parts cost more than the whole")
            .breaks("6.1", "no order explains what remains after requests for two permits")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.AdmitsOnceWhatExceedsTheLimit.class)
            .breaks("1.1", "a single request is above the bound")
            .breaks("1.4", "its parts do not get in")
            .breaks("1.5", "it is admitted instead of refused for ever")
            .breaks("3.2", "a poll that cannot succeed does, on an empty window")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.RebasesIntoTheCurrentWindow.class)
            .breaks("3.1", "what counted is free at the next border: three limits in two windows")
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.RestartsTheWindowOnEveryHit.class)
            .breaks("1.3 1.4", "a denied request starts the window anew")
            .breaks("1.5", "and so does one over the limit")
            .breaks("2.1", "under a lowered limit what remains is below zero")
            .breaks("2.4", "whoever asked in between has put the end of the window off")
            .breaks("3.2", "polls put the end of the window off")
            .breaks("3.4", "the permits still count one window after they were admitted")
            .breaks("7.2", "a denial keeps the state alive")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.RoundsTheWaitDown.class)
            .breaks("2.3", "in the last second of a window a denied client is told to wait no time")
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.TellsTheWholeWindow.class)
            .breaks("2.5", "the window ends earlier than told")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.TellsAWaitForTheImpossible.class)
            .breaks("1.5", "a request over the limit is told to come back")
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.TellsOneTooFew.class)
            .breaks("2.2", "one more than told is admitted")
            .breaks("6.1", "no order explains what remains")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.KeepsTheLimitOfTheFirst.class)
            .breaks("2.1", "the limit told is not that of the policy in force")
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.FoldsKeys.class).breaks("4.2", "A and a are one key"),
        mutant(FixedWindowMutants.JoinsNamespaceAndKey.class)
            .breaks("4.3", "namespace n and key p:q are the same as namespace n:p and key q"),
        mutant(FixedWindowMutants.KeepsOneCounter.class)
            .breaks("1.2 2.4 2.6 3.4 4.2", "a key is denied for what others have taken")
            .breaks("2.1 2.2", "what remains is taken by another key at the same instant")
            .breaks("2.8", "a key that is reset for others is new for all")
            .breaks("3.5", "after the pause another key has asked before")
            .breaks("4.1", "a key alone is decided otherwise")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.TakesNegativePermits.class)
            .breaks("5.1", "permits below 1 are taken at their word"),
        mutant(FixedWindowMutants.RefusesLate.class)
            .breaks("5.1", "the asynchronous form returns a failed stage instead of throwing"),
        mutant(FixedWindowMutants.ReadsThenWrites.class)
            .breaks("6.1", "two threads read the same count"),
        mutant(FixedWindowMutants.CachesInTheLimiter.class)
            .breaks("6.2", "each limiter goes on from the count that it remembers"),
        mutant(FixedWindowMutants.CountsInSeconds.class)
            .breaks("1.2 2.4 2.6 3.4", "time does not pass within a second, whatever was waited")
            .breaks("2.5 2.7", "waits are told from the start of the second, too long")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.3", "shifted by a part of a second the borders lie elsewhere")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.NeverReleases.class).breaks("7.2", "a key is kept for ever"),
        mutant(FixedWindowMutants.ExpiresTooEarly.class)
            .breaks("1.1", "within one window the count starts anew")
            .breaks("2.5", "who comes early finds the key forgotten")
            .breaks("2.7", "the key is as new before it is said to be")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.AdmitsWhenTheStoreFails.class)
            .breaks("7.1", "no answer of the store is told as an admission"),
        mutant(FixedWindowMutants.SendsAgain.class)
            .breaks("7.3", "the call whose reply is lost is made again and charged twice"),
        mutant(FixedWindowMutants.PeekTakes.class)
            .breaks("2.8", "what follows a peek finds less")
            .breaks("8.1", MODEL),
        mutant(FixedWindowMutants.ResetForgetsTheCountOnly.class)
            .breaks("2.8", "one permit is left behind")
            .breaks("8.1", MODEL));
  }

  private static List<Row> slidingWindows() {
    return List.of(
        mutant(SlidingWindowMutants.TimeIsTheMember.class)
            .breaks("1.1", "any number of requests at one instant counts as one")
            .breaks("1.4", "the parts of a request replace each other")
            .breaks("6.1", "no order explains that less is used than was admitted")
            .breaks("3.1", STEPS)
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.DropsTheBase.class)
            .breaks("1.1", "once something has left, the oldest permits that count do not")
            .breaks("1.4", "of a request in parts another part is not counted")
            .breaks("2.5 2.7", "the oldest permits are free before they have left")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.CountsTheEdge.class)
            .breaks("3.4", "what is exactly one window old still counts")
            .breaks("3.1", "who waits twice the window waits one microsecond more")
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.DropsBeforeTheEdge.class)
            .breaks("1.1", "twice the limit fits into one window")
            .breaks("2.5 2.7", "permits leave one microsecond before the wait is over")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.WaitsForTheOldestOnly.class)
            .breaks("2.4", "when the oldest permits have left there is still too little")
            .breaks("3.1", STEPS)
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.KeepsTotalsWithoutTheModulus.class)
            .breaks("9.1", "beyond 2^53 permits an odd total is not a double"),
        mutant(SlidingWindowMutants.LogsDenials.class)
            .breaks("1.2 2.4 2.6 3.4", "denied requests count for a whole window")
            .breaks("1.3 1.5", "without the denied request, or the one over the limit, more fits")
            .breaks(
                "1.4", "a denied request for several permits uses up what single ones could have")
            .breaks("2.2", "a denial tells what remains, and then takes it away")
            .breaks("3.2", "the polls are counted")
            .breaks("6.1", "no order explains denials that leave less than they found")
            .breaks("7.2", "a denial writes state for a key that nobody is admitted for")
            .breaks("3.1", STEPS)
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.ResetsAWindowFromNow.class)
            .breaks("2.7", "the key is as new before it is said to be")
            .breaks("3.1", "behind the last permit the window from now is too short")
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.ForgetsTheFuture.class)
            .breaks("3.1", "after each step back the limit is admitted again")
            .breaks("9.1", MODEL),
        mutant(SlidingWindowMutants.NeverRebases.class)
            .breaks("3.1", "a key waits until the clock is where it was")
            .breaks("9.1", MODEL));
  }

  private static List<Row> tokenBuckets() {
    return List.of(
        mutant(TokenBucketMutants.RoundsTheRefillDown.class)
            .breaks("1.3", "a denial loses the fraction that had grown")
            .breaks("1.4 1.5", "one for several permits, or over the limit, does, too")
            .breaks("2.4 3.4", "who asks in between waits longer than told, or than a life")
            .breaks("3.2", "polls keep the fraction from growing")
            .breaks("7.2", "a denial keeps the state alive")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.GoesIntoDebt.class)
            .breaks("1.2 2.4 2.6 3.4", "a denied request has to be paid for first")
            .breaks("1.3", "a denial costs what it asked for")
            .breaks("1.4", "a denied request for several permits does, too")
            .breaks("2.2", "a denial tells what remains, and then takes it away")
            .breaks("2.5 2.7", "a debt that is forgotten when the state expires")
            .breaks("3.2", "polls are charged")
            .breaks("6.1", "no order explains denials that leave less than they found")
            .breaks("7.2", "a denial keeps the state alive")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.GrantsInPart.class)
            .breaks("1.2 2.4 2.6 3.4", "after a denial the bucket takes longer to fill")
            .breaks("1.3", "a denial empties the bucket")
            .breaks("1.4", "a denied request takes a part")
            .breaks("2.2", "a denial tells what remains, and then takes it away")
            .breaks("3.2", "polls empty the bucket")
            .breaks("6.1", "no order explains denials that leave less than they found")
            .breaks("7.2", "a denial keeps the state alive")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.MovesTimeBack.class)
            .breaks("3.1", "the way back to the true time refills the bucket once more")
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.OverflowsOnALongPause.class)
            .breaks("3.5", "after two centuries nothing was refilled")
            .breaks(
                "1.2 2.4 2.6 3.4", "with a life beyond 25 days nothing is refilled within a life")
            .breaks("7.2", "the state is kept for ever")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.StartsEmpty.class)
            .breaks("1.2 4.2", "a new key is denied")
            .breaks("2.4", "a denial stores nothing, so the bucket never fills")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.GrowsBeyondItsCapacity.class)
            .breaks("1.1", "a long pause is saved up")
            .breaks("1.5", "then requests over the limit are admitted")
            .breaks("2.2", "and more than what remains")
            .breaks(
                "2.6 3.5", "after resetAfter, or two centuries, there is more than in a new bucket")
            .breaks("3.2", "a poll over the limit succeeds")
            .breaks("6.1", "no order explains what remains")
            .breaks("7.2", "the state is kept for ever")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.ResetsOneMicrosecondEarly.class)
            .breaks(
                "1.2 2.6", "the bucket lacks the last part of a token when it is said to be full")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL),
        mutant(TokenBucketMutants.CountsInFloatingPoint.class)
            .breaks("1.1", "a time rounded up brings the token some microseconds early")
            .breaks(
                "2.5 2.7",
                "so the request is admitted, and the bucket full, before the wait is over")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("10.1", MODEL));
  }

  private static List<Row> slidingWindowCounters() {
    return List.of(
        mutant(SlidingWindowCounterMutants.CountsThePreviousWindowInFull.class)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.ForgetsThePreviousWindow.class)
            .breaks("1.1", "twice the limit gets in around a border")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.RoundsTheEstimateDown.class)
            .breaks("1.1", "a microsecond after a border one permit of the limit is forgotten")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.CountsTheWindowBeforeThePrevious.class)
            .breaks(
                "1.2 2.6", "who is denied is told the next border, where all counts in full again")
            .breaks("2.4", "the same holds for who waits for the whole limit")
            .breaks(
                "2.5 2.7",
                "told in the window too many, the key is forgotten before the wait is over")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.WeighsNegatively.class)
            .breaks("1.1", "what counts below zero is admitted on top of the limit")
            .breaks("1.5", "a request over the limit is admitted")
            .breaks("2.1", "more remains than the limit")
            .breaks("2.6", "after resetAfter there is more than on a new key")
            .breaks("3.2", "a poll over the limit succeeds")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.LivesForOneWindow.class)
            .breaks("2.5 2.7", "one window after the last permit the key is forgotten, and as new")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.RebasesTheCountsAsTheyAre.class)
            .breaks(
                "3.1", "re-based right before a border, a previous count weighs next to nothing")
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.TellsToWaitForTheBorder.class)
            .breaks("2.4", "at the border the window's permits still count in full")
            .breaks("2.5", "of the previous window's permits enough leave earlier")
            .breaks("3.2", "a poll that was told to wait is admitted")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL),
        mutant(SlidingWindowCounterMutants.IsAsNewAtTheBorder.class)
            .breaks("1.2 2.6", "at the border the window's permits still count in full")
            .breaks("3.1", STEPS)
            .breaks("11.1", MODEL));
  }
}
