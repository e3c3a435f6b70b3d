package dev.weir.benchmarks;

import dev.weir.Decision;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time of one decision in memory; run it with {@code -prof gc} to see what it allocates. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx3g")
public class InMemoryBenchmark {

  static final int KEYS = 1_000_000;

  /** Created by JMH. */
  public InMemoryBenchmark() {}

  /** A quota that admits every request, or after the first one none while it is measured. */
  static Quota quota(String answer) {
    return answer.equals("admitted")
        ? Quota.of(1_000_000_000, Duration.ofSeconds(1))
        : Quota.of(1, Duration.ofDays(1));
  }

  /** A limiter of Weir or of others. */
  @State(Scope.Benchmark)
  public abstract static class AnyLimiter {

    /** Whose limiter. */
    @Param({
      "fixed-window",
      "sliding-window",
      "sliding-window-counter",
      "token-bucket",
      "Bucket4j",
      "Resilience4j",
      "Guava"
    })
    public String limiter;

    /** Called by JMH. */
    protected AnyLimiter() {}
  }

  /** One key of one limiter. */
  public static class OneKey extends AnyLimiter {

    /** What it answers. */
    @Param({"admitted", "denied"})
    public String answer;

    private String key = "user-4711";
    private Predicate<String> subject;

    /** Created by JMH. */
    public OneKey() {}

    /** Creates the limiter. */
    @Setup
    public void create() {
      subject = MemorySubject.shared(limiter, quota(answer));
    }
  }

  /** One key of a limiter of Weir. */
  @State(Scope.Benchmark)
  public static class WeirKey {

    /** Which one. */
    @Param({"fixed-window", "sliding-window", "sliding-window-counter", "token-bucket"})
    public String limiter;

    /** What it answers. */
    @Param({"admitted", "denied"})
    public String answer;

    private String key = "user-4711";
    private RateLimiter subject;

    /** Created by JMH. */
    public WeirKey() {}

    /** Creates the limiter. */
    @Setup
    public void create() {
      subject = MemorySubject.limiter(limiter, quota(answer));
    }
  }

  /** A million keys, all of which have been asked for. */
  public static class ManyKeys extends AnyLimiter {

    private final String[] keys = keys();
    private Predicate<String> subject;

    /** Created by JMH. */
    public ManyKeys() {}

    static String[] keys() {
      String[] keys = new String[KEYS];
      for (int i = 0; i < KEYS; i++) {
        keys[i] = "user-" + i;
      }
      return keys;
    }

    /** Creates the limiter and asks for each key once. */
    @Setup
    public void create() {
      subject = MemorySubject.keyed(limiter, Quota.of(1_000_000, Duration.ofMinutes(1)));
      for (String key : keys) {
        subject.test(key);
      }
    }
  }

  /** A walk of one thread over keys, in no order. */
  @State(Scope.Thread)
  public static class Walk {

    private long state = System.nanoTime();

    /** Created by JMH. */
    public Walk() {}

    private int next() {
      state = state * 6364136223846793005L + 1442695040888963407L;
      return (int) ((state >>> 32) * KEYS >>> 32);
    }
  }

  /** Whether one key is admitted. */
  @Benchmark
  public boolean oneKey(OneKey state) {
    return state.subject.test(state.key);
  }

  /** The decision on one key, which leaves the method and so is on the heap. */
  @Benchmark
  public Decision decision(WeirKey state) {
    return state.subject.tryAcquire(state.key, 1);
  }

  /** Whether one key of a million is admitted. */
  @Benchmark
  public boolean millionKeys(ManyKeys state, Walk walk) {
    return state.subject.test(state.keys[walk.next()]);
  }
}
