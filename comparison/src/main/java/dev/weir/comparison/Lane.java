package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A lane is one limiter under comparison, an algorithm on a store, with the clock it reads and what
 * is measured of it.
 */
class Lane {

  private static final long LONGEST_SEARCH = 1L << 48; // nine years

  final String algorithm;
  final String store;
  final RateLimiter limiter;
  final VirtualClock clock;
  final Batch.Decisions decisions = new Batch.Decisions();
  final WindowMeter meter;
  final long window;
  private @Nullable WaitSamples samples;
  private long offered;
  private long admitted;
  private final BitSet deniedKeys = new BitSet();
  private long told;
  private long honest;
  private long tight;
  private BigInteger toldMicros = BigInteger.ZERO; // the sum of long waits passes 2^63

  Lane(
      String algorithm,
      String store,
      RateLimiter limiter,
      VirtualClock clock,
      long limit,
      long window) {
    this.algorithm = algorithm;
    this.store = store;
    this.limiter = limiter;
    this.clock = clock;
    this.window = window;
    meter = new WindowMeter(limit, window);
  }

  /** From now on keeps some of the waits that are told. */
  final void sampleWaits(WaitSamples into) {
    samples = into;
  }

  /** Decides the events of the batch, in order, and keeps the decisions and their figures. */
  final void decide(Batch batch) {
    decisions.clear();
    decideAll(batch);
    for (int i = 0; i < batch.size; i++) {
      boolean allowed = decisions.get(i).allowed();
      offered++;
      admitted += allowed ? 1 : 0;
      if (!allowed) {
        deniedKeys.set(batch.keys[i]);
      }
      meter.decided(batch.keys[i], batch.times[i], batch.permits[i], allowed);
    }
  }

  /** Asks the limiter, and judges each denial before the next event of its key. */
  void decideAll(Batch batch) {
    for (int i = 0; i < batch.size; i++) {
      clock.set(batch.clocks[i]);
      Decision decision = limiter.tryAcquire(batch.names[i], batch.permits[i]);
      decisions.set(i, decision);
      if (!decision.allowed()) {
        judge(batch, i);
      }
    }
  }

  /**
   * Judges the wait that a denial told: after it the same request must be admitted, one microsecond
   * earlier not. Peeking changes nothing, so the state serves as its own copy.
   */
  final void judge(Batch batch, int event) {
    judge(batch, event, 1);
  }

  /** Judges so many denials of one instant at once, of requests that do not differ. */
  final void judge(Batch batch, int event, int denials) {
    Decision decision = decisions.get(event);
    if (decision.retryAfter().equals(Decision.NEVER)) {
      return;
    }
    long wait = Micros.of(decision.retryAfter());
    told += denials;
    toldMicros = toldMicros.add(BigInteger.valueOf(wait).multiply(BigInteger.valueOf(denials)));
    boolean enough = admitsAfter(wait, batch, event);
    boolean tightest = !admitsAfter(wait - 1, batch, event);
    honest += enough ? denials : 0;
    tight += tightest ? denials : 0;
    if (samples != null && samples.wantsNext()) {
      samples.add(wait, enough && tightest ? wait : neededWait(wait, enough, batch, event));
    }
    clock.set(batch.clocks[event]);
  }

  /** Searches for the shortest wait that is enough, for a limiter that told a wrong one. */
  private long neededWait(long told, boolean enough, Batch batch, int event) {
    long tooShort = 0;
    long sufficient = told;
    for (boolean found = enough; !found; found = admitsAfter(sufficient, batch, event)) {
      if (sufficient > LONGEST_SEARCH) {
        return sufficient;
      }
      tooShort = sufficient;
      sufficient *= 2;
    }
    while (sufficient - tooShort > 1) {
      long middle = tooShort + (sufficient - tooShort) / 2;
      if (admitsAfter(middle, batch, event)) {
        sufficient = middle;
      } else {
        tooShort = middle;
      }
    }
    return sufficient;
  }

  private boolean admitsAfter(long wait, Batch batch, int event) {
    clock.set(batch.clocks[event] + wait);
    return limiter.peek(batch.names[event], batch.permits[event]).allowed();
  }

  /** Ends the replay: measures what is left in the store and clears it away. */
  Result result(Trace trace, Result.@Nullable Persistence persistence) {
    return result(trace, persistence, null, null);
  }

  final Result result(
      Trace trace,
      Result.@Nullable Persistence persistence,
      Result.@Nullable StateBytes stateBytes,
      @Nullable Double commandsPerDecision) {
    Result.WorstWindow worst =
        meter.worstCount() == 0
            ? null
            : new Result.WorstWindow(
                meter.worstCount(),
                trace.keyName(meter.worstKey()),
                time(meter.worstTime() - window),
                time(meter.worstTime()));
    return new Result(
        algorithm,
        store,
        offered,
        admitted,
        offered - admitted,
        deniedKeys.cardinality(),
        worst,
        meter.overAdmissions(),
        meter.falseDenials(),
        new Result.RetryAfter(told, honest, tight, told == 0 ? 0 : meanMillis(toldMicros, told)),
        stateBytes,
        commandsPerDecision,
        persistence);
  }

  /** Frees what the lane holds in its store. */
  void close() {}

  /** The mean of so many times, in milliseconds rounded half up. */
  static long meanMillis(BigInteger sumMicros, long count) {
    BigInteger thousands = BigInteger.valueOf(count).multiply(BigInteger.valueOf(1_000));
    // floor((2 * sum + thousands) / (2 * thousands))
    return sumMicros.shiftLeft(1).add(thousands).divide(thousands.shiftLeft(1)).longValueExact();
  }

  static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
