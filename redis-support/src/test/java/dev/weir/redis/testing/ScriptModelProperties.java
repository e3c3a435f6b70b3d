package dev.weir.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * A limiter's script answers every trace as a model does that is written for reading, not for
 * speed: in batches, under clocks that step and policies that change, over the whole range.
 */
public abstract class ScriptModelProperties<P extends Policy> {

  protected static final long MAX_TIME = 1L << 53;
  protected static final long MAX_PERMITS = 1_000_000_000_000L;
  protected static final long MIN_WINDOW = 1_000L;
  protected static final long MAX_WINDOW = 366L * 86_400_000_000L;
  private static final long TWO_CENTURIES = 200L * 365 * 86_400_000_000L;

  private static ScriptRunner runner;

  /** What a script must answer: allowed, remaining, retry and reset, in the script's units. */
  public interface Model<P> {
    long[] acquire(P policy, long now, long permits);

    long[] peek(P policy, long now, long permits);
  }

  /** How the clock moves before a call; {@code amount} is any number below 2^40. */
  enum Move {
    STAY,
    TICK,
    ANY,
    BEFORE_LIFE,
    LIFE,
    AFTER_LIFE,
    SHORT,
    CENTURIES;

    long micros(long life, long amount) {
      return switch (this) {
        case STAY -> 0;
        case TICK -> 1;
        case ANY -> amount % (2 * life);
        case BEFORE_LIFE -> life - 1;
        case LIFE -> life;
        case AFTER_LIFE -> life + 1;
        case SHORT -> amount % (life / 8 + 1);
        case CENTURIES -> TWO_CENTURIES;
      };
    }
  }

  /** How many permits a request asks for. */
  enum Ask {
    ONE,
    FEW,
    ANY,
    ALL,
    TOO_MANY,
    ABSURD;

    long permits(long limit, long amount) {
      return switch (this) {
        case ONE -> 1;
        case FEW -> 1 + amount % (limit / 4 + 1);
        case ANY -> 1 + amount % limit;
        case ALL -> limit;
        case TOO_MANY -> limit + 1;
        case ABSURD -> Long.MAX_VALUE;
      };
    }
  }

  record Request(Ask ask, long amount) {}

  record Step(
      Move move, boolean back, long amount, int policy, boolean peek, List<Request> batch) {}

  protected abstract ScriptRunner load();

  protected abstract Arbitrary<P> policies();

  /** The policy as the script's arguments. */
  protected abstract long[] numbers(P policy);

  protected abstract Model<P> newModel();

  /** Prepares a key that is as good as new. */
  protected void prepare(RespClient redis, String key) {}

  protected final ScriptRunner runner() {
    if (runner == null) {
      runner = load();
    }
    return runner;
  }

  @AfterContainer
  static void close() {
    if (runner != null) {
      runner.close();
      runner = null;
    }
  }

  @Property
  void aBatchIsAnsweredAsTheModelAnswersItsRequestsInTurn(
      @ForAll("versions") List<P> versions,
      @ForAll("starts") long start,
      @ForAll("steps") List<Step> steps) {
    String key = TestRedis.freshNamespace();
    Model<P> model = newModel();
    List<String> calls = new ArrayList<>();
    List<String[]> commands = new ArrayList<>();
    List<List<Long>> expected = new ArrayList<>();
    long now = start;
    for (Step step : steps) {
      P policy = versions.get(step.policy() % versions.size());
      long life = TimeUnit.MICROSECONDS.convert(policy.life());
      long move = step.move().micros(life, step.amount());
      now = Math.min(MAX_TIME, Math.max(1, step.back() ? now - move : now + move));
      long[] permits =
          step.batch().stream()
              .mapToLong(request -> request.ask().permits(policy.limit(), request.amount()))
              .toArray();
      String mode = step.peek() ? "peek" : "acquire";
      calls.add("%s %s at %d by %s".formatted(mode, Arrays.toString(permits), now, policy));
      commands.add(runner().command(key, now, mode, numbers(policy), permits));
      List<Long> answers = new ArrayList<>();
      for (long asked : permits) {
        for (long number :
            step.peek() ? model.peek(policy, now, asked) : model.acquire(policy, now, asked)) {
          answers.add(number);
        }
      }
      expected.add(answers);
    }
    prepare(runner().redis(), key);

    List<?> replies = runner().redis().pipeline(commands);

    for (int i = 0; i < replies.size(); i++) {
      assertThat(replies.get(i)).as(calls.get(i)).isEqualTo(expected.get(i));
    }
    runner().redis().call("UNLINK", key);
  }

  @Provide
  Arbitrary<List<P>> versions() {
    // Mostly one policy; else versions of one that take turns.
    return Arbitraries.integers()
        .between(1, 3)
        .map(count -> count == 2 ? 1 : count)
        .flatMap(count -> policies().list().ofSize(count));
  }

  @Provide
  Arbitrary<Long> starts() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(1, 100),
        Arbitraries.just(1_700_000_000_000_000L),
        Arbitraries.longs().between(1, MAX_TIME),
        Arbitraries.longs().between(MAX_TIME - MAX_WINDOW, MAX_TIME));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Long> amounts = Arbitraries.longs().between(0, (1L << 46) - 1);
    Arbitrary<Request> requests =
        Combinators.combine(Arbitraries.of(Ask.class), amounts).as(Request::new);
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(4, Move.STAY),
                Tuple.of(4, Move.SHORT),
                Tuple.of(2, Move.TICK),
                Tuple.of(2, Move.ANY),
                Tuple.of(1, Move.BEFORE_LIFE),
                Tuple.of(1, Move.LIFE),
                Tuple.of(1, Move.AFTER_LIFE),
                Tuple.of(1, Move.CENTURIES)),
            Arbitraries.of(false, false, false, true),
            amounts,
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(false, false, false, true),
            requests.list().ofMinSize(1).ofMaxSize(5))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  /** Numbers of any magnitude: as many small ones as large ones. */
  protected static Arbitrary<Long> magnitudes(long low, long high) {
    return Arbitraries.oneOf(
        Combinators.combine(
                Arbitraries.longs().between(low, high), Arbitraries.integers().between(0, 44))
            .as((number, shift) -> Math.max(low, number >> shift)),
        Arbitraries.of(low, high, high - 1));
  }
}
