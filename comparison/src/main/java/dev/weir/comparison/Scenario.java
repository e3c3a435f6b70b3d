package dev.weir.comparison;

import dev.weir.Quota;
import dev.weir.internal.Micros;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;

/**
 * A scenario makes a trace of one kind of traffic for any quota.
 *
 * <p>In what follows L is the limit, W the window, and B a border between windows of the epoch's
 * grid: the first one at or after 2026-01-01T00:00:00Z. All requests are for one permit of one key.
 */
public enum Scenario {
  /** Nine tenths of the limit per window, evenly, for ten windows: nobody should be denied. */
  STEADY("0.9 L per window, evenly, for ten windows") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      evenly(trace, 9 * limit, border, 10 * window);
    }

    @Override
    long events(long limit) {
      return 9 * limit;
    }
  },
  /** The whole limit right before a border and again right after it, each within W/60. */
  BOUNDARY_BURST("L within W/60 before a window border and L within W/60 after it") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      evenly(trace, limit, border - window / 60, window / 60);
      evenly(trace, limit, border, window / 60);
    }

    @Override
    long events(long limit) {
      return 2 * limit;
    }
  },
  /** Random arrivals, 1.2 L per window on average, for thirty windows. */
  POISSON("random arrivals, 1.2 L per window on average, for thirty windows") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      String algorithm = "L64X128MixRandom"; // one that the Java documentation defines for ever
      RandomGenerator random = RandomGeneratorFactory.of(algorithm).create(seed);
      trace.generator(algorithm + " seed " + seed);
      double mean = window / (1.2 * limit);
      double time = 0;
      while (true) {
        time -= mean * StrictMath.log(1 - random.nextDouble()); // StrictMath: the same everywhere
        if (time >= 30.0 * window) {
          return;
        }
        trace.add(border + (long) time, KEY, 1);
      }
    }

    @Override
    long events(long limit) {
      return 36 * limit;
    }
  },
  /** Twice the limit within W/6, then silence for the rest of the window, thirty times. */
  ON_OFF("2 L within W/6, then nothing for 5W/6, thirty times") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      for (int i = 0; i < 30; i++) {
        evenly(trace, 2 * limit, border + i * window, window / 6);
      }
    }

    @Override
    long events(long limit) {
      return 60 * limit;
    }
  },
  /** Five times the limit at one instant, at each of three borders. */
  HERD("5 L at one instant, at each of three window borders") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      for (int i = 0; i < 3; i++) {
        evenly(trace, 5 * limit, border + i * window, 0);
      }
    }

    @Override
    long events(long limit) {
      return 15 * limit;
    }
  },
  /** The limit 1 ms before a border, then twice the limit spread over the window that follows. */
  ADVERSARY("L at 1 ms before a window border, then 2 L evenly over the next window") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      evenly(trace, limit, border - 1_000, 0);
      evenly(trace, 2 * limit, border, window);
    }

    @Override
    long events(long limit) {
      return 3 * limit;
    }
  },
  /** Ten times the limit of clients at one instant, each of which tries until it is admitted. */
  RETRY_STORM("10 L clients at one instant, each tries again until it is admitted") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      evenly(trace, 10 * limit, border, 0);
    }

    @Override
    long events(long limit) {
      return 10 * limit;
    }

    @Override
    public Clients clients() {
      return Clients.obey();
    }
  },
  /**
   * Steady traffic while the limiter's clock steps back by 1 s, by W/2 and by 10 W, after each
   * third of it; the last third is offered once more after the last step. Judged in true time.
   */
  CLOCK_BACK("steady; after each third the clock steps back, by 1 s, by W/2, by 10 W") {
    @Override
    void fill(Trace.Builder trace, long limit, long window, long border, long seed) {
      long[] steps = {0, 1_000_000, window / 2, 10 * window};
      long offset = 0;
      for (int third = 0; third < steps.length; third++) {
        offset -= steps[third];
        trace.clockOffset(offset);
        evenly(trace, 3 * limit, border + scale(third, 10 * window, 3), 10 * window / 3);
      }
    }

    @Override
    long events(long limit) {
      return 12 * limit;
    }
  };

  private static final String KEY = "client";
  private static final long MOST_EVENTS = 10_000_000;
  private static final long START = Micros.of(Instant.parse("2026-01-01T00:00:00Z"));

  private final String description;

  Scenario(String description) {
    this.description = description;
  }

  /**
   * Returns the scenario of a name such as {@code boundary-burst}.
   *
   * @param name a {@link #label()}
   * @return the scenario
   * @throws NullPointerException if {@code name} is null
   * @throws IllegalArgumentException if there is none of that name
   */
  public static Scenario named(String name) {
    Objects.requireNonNull(name, "name");
    return Arrays.stream(values())
        .filter(scenario -> scenario.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scenario is '"
                        + name
                        + "', must be one of "
                        + Arrays.stream(values())
                            .map(Scenario::label)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Returns the name by which the command knows the scenario.
   *
   * @return the constant's name in lower case with hyphens
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns what happens in it.
   *
   * @return one line, with L for the limit and W for the window
   */
  public String description() {
    return description;
  }

  /**
   * Returns how its clients behave unless something else is said.
   *
   * @return obedient clients for the retry storm, open ones for the others
   */
  public Clients clients() {
    return Clients.open();
  }

  /**
   * Makes the trace.
   *
   * @param quota its limit and its window set the amount and the pace
   * @param seed what random arrivals follow from; the other scenarios do not read it
   * @return the trace
   * @throws NullPointerException if {@code quota} is null
   * @throws IllegalArgumentException if the limit makes more than ten million requests
   */
  public Trace trace(Quota quota, long seed) {
    if (events(quota.limit()) > MOST_EVENTS) {
      throw new IllegalArgumentException(
          "scenario "
              + label()
              + " makes "
              + events(quota.limit())
              + " requests with a limit of "
              + quota.limit()
              + ", must be at most "
              + MOST_EVENTS
              + ": take a lower limit");
    }
    Trace.Builder trace = Trace.builder(label());
    long window = Micros.of(quota.window());
    long border = (START + window - 1) / window * window;
    fill(trace, quota.limit(), window, border, seed);
    return trace.build();
  }

  abstract void fill(Trace.Builder trace, long limit, long window, long border, long seed);

  /** How many requests it makes, for random arrivals on average. */
  abstract long events(long limit);

  private static void evenly(Trace.Builder trace, long count, long from, long span) {
    for (long i = 0; i < count; i++) {
      trace.add(from + scale(i, span, count), KEY, 1);
    }
  }

  /** The whole part of {@code value * factor / divisor}. */
  private static long scale(long value, long factor, long divisor) {
    long high = Math.multiplyHigh(value, factor);
    return high == 0 && value * factor >= 0
        ? value * factor / divisor
        : BigInteger.valueOf(value)
            .multiply(BigInteger.valueOf(factor))
            .divide(BigInteger.valueOf(divisor))
            .longValueExact();
  }
}
