package dev.weir.comparison;

import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A trace is a sequence of requests, each with its time, key and number of permits, in the order of
 * time; requests of one time keep the order in which they were given.
 *
 * <p>It can be read any number of times. It keeps at most a few million events in memory and the
 * rest in a temporary file, which goes with {@link #close()}. Reading is safe for use by any number
 * of threads, each with a cursor of its own.
 */
public final class Trace implements AutoCloseable {

  static final int ALL_KEYS = -1;

  private final TraceFacts facts;
  private final KeyTable keys;
  private final EventLog events;
  private final List<ClockStep> clockSteps;

  private Trace(TraceFacts facts, KeyTable keys, EventLog events, List<ClockStep> clockSteps) {
    this.facts = facts;
    this.keys = keys;
    this.events = events;
    this.clockSteps = List.copyOf(clockSteps);
  }

  /**
   * Starts a trace that is made event by event.
   *
   * @param name what to call it
   * @return a builder without events
   * @throws NullPointerException if {@code name} is null
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /**
   * Returns what is known about the trace.
   *
   * @return the facts, the same object on every call
   */
  public TraceFacts facts() {
    return facts;
  }

  /**
   * Deletes the temporary file of a long trace. Afterwards the trace cannot be read.
   *
   * @throws IOException if the file cannot be closed
   */
  @Override
  public void close() throws IOException {
    events.close();
  }

  String keyName(int key) {
    return keys.name(key);
  }

  /** Returns a cursor before the first event. */
  Cursor cursor() {
    return cursor(ALL_KEYS);
  }

  /** Returns a cursor before the first event of a key. */
  Cursor cursor(int key) {
    return new Cursor(events.cursor(), clockSteps, key);
  }

  /** From the event with this number on, the clock is so many microseconds off the true time. */
  record ClockStep(long event, long offsetMicros) {}

  /** A position in the trace. */
  static final class Cursor {

    private final EventLog.Cursor events;
    private final List<ClockStep> steps;
    private final int key;
    private int nextStep;
    private long number = -1;
    private long offset;

    private Cursor(EventLog.Cursor events, List<ClockStep> steps, int key) {
      this.events = events;
      this.steps = steps;
      this.key = key;
    }

    boolean next() {
      do {
        if (!events.next()) {
          return false;
        }
        number++;
      } while (key != ALL_KEYS && events.key() != key);
      while (nextStep < steps.size() && steps.get(nextStep).event <= number) {
        offset = steps.get(nextStep++).offsetMicros;
      }
      return true;
    }

    /** The true time. */
    long timeMicros() {
      return events.time();
    }

    /** What the limiter's clock says at that time. */
    long clockMicros() {
      return events.time() + offset;
    }

    /** How far the limiter's clock is off the true time. */
    long clockOffset() {
      return offset;
    }

    int key() {
      return events.key();
    }

    long permits() {
      return events.permits();
    }
  }

  /** A builder collects the events of a trace. Not safe for use by several threads. */
  public static final class Builder {

    private final String name;
    private final MessageDigest digest = sha256();
    private final Loader loader = new Loader();
    private final List<ClockStep> clockSteps = new ArrayList<>();
    private String generator = "";

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Adds a request.
     *
     * @param time when it comes, from 1970 to 2255, taken in whole microseconds; an earlier time
     *     than that of the event before is sorted in
     * @param key whom it counts for, not empty
     * @param permits how many permits it asks for, at least 1
     * @return this builder
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if an argument is out of its bounds
     */
    public Builder add(Instant time, String key, long permits) {
      Bounds.checkRequest(key, permits);
      return add(Micros.of(time), key, permits);
    }

    /**
     * Ends the adding.
     *
     * @return the trace
     * @throws IllegalArgumentException if there are no events
     */
    public Trace build() {
      if (loader.count == 0) {
        throw new IllegalArgumentException("trace '" + name + "' has no events, must have one");
      }
      return loader.trace(name, digest, 0, List.of(), generator, clockSteps);
    }

    Builder add(long timeMicros, String key, long permits) {
      loader.add(timeMicros, loader.keys.index(key), permits);
      digest.update(
          (timeMicros + "," + key + "," + permits + "\n").getBytes(StandardCharsets.UTF_8));
      return this;
    }

    /** Puts the limiter's clock this far off the true time, for the events to come. */
    Builder clockOffset(long offsetMicros) {
      clockSteps.add(new ClockStep(loader.count, offsetMicros));
      return this;
    }

    Builder generator(String text) {
      generator = text;
      return this;
    }
  }

  /** What builders and readers share: events come in, their facts are kept. */
  static final class Loader {

    final KeyTable keys = new KeyTable();
    private final EventLog events = new EventLog();
    long count;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long previous = Long.MIN_VALUE;
    private long stepsBack;
    private long largestStepBack;

    void add(long timeMicros, int key, long permits) {
      events.add(timeMicros, key, permits);
      count++;
      first = Math.min(first, timeMicros);
      last = Math.max(last, timeMicros);
      if (timeMicros < previous) {
        stepsBack++;
        largestStepBack = Math.max(largestStepBack, previous - timeMicros);
      }
      previous = timeMicros;
    }

    Trace trace(
        String name,
        MessageDigest digest,
        long skipped,
        List<String> skippedExamples,
        String generator,
        List<ClockStep> clockSteps) {
      events.finish();
      TraceFacts facts =
          new TraceFacts(
              name,
              count,
              keys.size(),
              Instant.EPOCH.plus(first, ChronoUnit.MICROS),
              Instant.EPOCH.plus(last, ChronoUnit.MICROS),
              skipped,
              skippedExamples,
              stepsBack,
              Duration.of(largestStepBack, ChronoUnit.MICROS),
              HexFormat.of().formatHex(digest.digest()),
              generator);
      return new Trace(facts, keys, events, clockSteps);
    }

    void close() throws IOException {
      events.close();
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
