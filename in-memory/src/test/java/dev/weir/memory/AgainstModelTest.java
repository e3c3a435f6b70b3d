package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * On any trace of one key, with the clock going forward and back and two policies asking in turn,
 * every decision is that of the plain model; over the whole range of limits, windows and times.
 */
class AgainstModelTest {

  enum Kind {
    MOVE,
    MOVE_TWO_CENTURIES,
    ACQUIRE,
    ACQUIRE_THE_LARGEST_NUMBER,
    PEEK,
    RESET
  }

  /**
   * A step that one of the two policies makes or measures: moves the clock by, or asks for, so many
   * thousandths of its life or limit, plus a few microseconds or permits.
   */
  record Step(Kind kind, int policy, int thousandths, int plus) {

    long micros(Policy policy) {
      return Micros.of(policy.life()) * thousandths / 1_000 + plus;
    }

    long permits(Policy policy) {
      return kind == Kind.ACQUIRE_THE_LARGEST_NUMBER
          ? Long.MAX_VALUE
          : Math.max(1, policy.limit() * Math.max(0, thousandths) / 1_000 + plus);
    }
  }

  record Trace<P>(List<P> policies, long start, List<Step> steps) {}

  @Property(edgeCases = EdgeCasesMode.NONE)
  void fixedWindow(@ForAll("fixedWindowTraces") Trace<FixedWindowPolicy> trace) {
    agree(trace, InMemoryFixedWindow::create, new Model.FixedWindow());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void slidingWindowLog(@ForAll("slidingWindowTraces") Trace<SlidingWindowPolicy> trace) {
    agree(trace, InMemorySlidingWindow::create, new Model.SlidingWindowLog());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void slidingWindowCounter(
      @ForAll("slidingWindowCounterTraces") Trace<SlidingWindowCounterPolicy> trace) {
    agree(trace, InMemorySlidingWindowCounter::create, new Model.SlidingWindowCounter());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void tokenBucket(@ForAll("tokenBucketTraces") Trace<TokenBucketPolicy> trace) {
    agree(trace, InMemoryTokenBucket::create, new Model.TokenBucket());
  }

  private static <P extends Policy> void agree(
      Trace<P> trace, BiFunction<P, InMemoryOptions, RateLimiter> create, Model<P> model) {
    VirtualClock clock = new VirtualClock(trace.start);
    InMemoryOptions options =
        InMemoryOptions.defaults().withStore(InMemoryStore.create()).withClock(clock);
    List<RateLimiter> limiters =
        trace.policies.stream().map(policy -> create.apply(policy, options)).toList();
    int number = 0;
    for (Step step : trace.steps) {
      number++;
      P policy = trace.policies.get(step.policy);
      RateLimiter limiter = limiters.get(step.policy);
      switch (step.kind) {
        case MOVE -> clock.move(step.micros(policy));
        case MOVE_TWO_CENTURIES -> clock.advance(Duration.ofDays(200 * 365));
        case RESET -> {
          limiter.reset("key");
          model.reset();
        }
        default -> {
          boolean take = step.kind != Kind.PEEK;
          long permits = step.permits(policy);
          Decision expected = model.ask(policy, permits, clock.micros(), take);
          Decision actual =
              take ? limiter.tryAcquire("key", permits) : limiter.peek("key", permits);
          assertThat(actual)
              .as("step %d at %d: %s", number, clock.micros(), step)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Provide
  Arbitrary<Trace<FixedWindowPolicy>> fixedWindowTraces() {
    return traces(Combinators.combine(permits(), windows()).as(FixedWindowPolicy::of));
  }

  @Provide
  Arbitrary<Trace<SlidingWindowPolicy>> slidingWindowTraces() {
    return traces(Combinators.combine(permits(), windows()).as(SlidingWindowPolicy::of));
  }

  @Provide
  Arbitrary<Trace<SlidingWindowCounterPolicy>> slidingWindowCounterTraces() {
    return traces(Combinators.combine(permits(), windows()).as(SlidingWindowCounterPolicy::of));
  }

  @Provide
  Arbitrary<Trace<TokenBucketPolicy>> tokenBucketTraces() {
    return traces(buckets());
  }

  private static Arbitrary<TokenBucketPolicy> buckets() {
    return Combinators.combine(permits(), permits(), windows())
        .filter(
            (capacity, refill, period) ->
                (double) capacity * Micros.of(period) / refill
                    < Micros.of(Duration.ofDays(3660)) - 1)
        .as(TokenBucketPolicy::of);
  }

  private static <P> Arbitrary<Trace<P>> traces(Arbitrary<P> policies) {
    return Combinators.combine(policies.list().ofSize(2), starts(), steps().list().ofMaxSize(40))
        .as(Trace::new);
  }

  private static Arbitrary<Long> permits() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 10),
        Arbitraries.longs().between(1, 10_000),
        Arbitraries.longs().between(1, 1_000_000_000_000L));
  }

  private static Arbitrary<Duration> windows() {
    long longest = Micros.of(Duration.ofDays(366));
    return Arbitraries.oneOf(
            Arbitraries.longs().between(1_000, 1_010),
            Arbitraries.of(1_000_000L, 60_000_000L, 86_400_000_000L, longest),
            Arbitraries.longs().between(1_000, longest))
        .map(Micros::toDuration);
  }

  private static Arbitrary<Long> starts() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(0, 10),
        Arbitraries.longs().between(0, Micros.MAX_TIME),
        Arbitraries.longs().between(Micros.MAX_TIME - 10, Micros.MAX_TIME));
  }

  private static Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(9, Kind.MOVE),
                Tuple.of(12, Kind.ACQUIRE),
                Tuple.of(4, Kind.PEEK),
                Tuple.of(1, Kind.MOVE_TWO_CENTURIES),
                Tuple.of(1, Kind.ACQUIRE_THE_LARGEST_NUMBER),
                Tuple.of(1, Kind.RESET)),
            Arbitraries.frequency(Tuple.of(4, 0), Tuple.of(1, 1)),
            Arbitraries.oneOf(
                Arbitraries.of(0, 500, 1_000, -500, -1_000),
                Arbitraries.integers().between(-500, 1_000),
                Arbitraries.integers().between(-3_000, 3_000)),
            Arbitraries.integers().between(-2, 2))
        .as(Step::new);
  }
}
