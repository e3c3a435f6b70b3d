package dev.weir.conformance;

import dev.weir.conformance.internal.Notation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A step is one thing that happens in a {@link Scenario}: a request, or a move of the clock.
 *
 * <p>{@link Object#toString()} of a step is its notation, which {@link Scenario#parse(String)}
 * reads.
 */
public sealed interface Step {

  /**
   * Asks for permits: {@code acquire a 3}, or {@code acquire a 3 async}.
   *
   * @param key the key; null and the empty string are bad arguments made on purpose
   * @param permits the permits; those below 1 are bad arguments made on purpose
   * @param async whether the asynchronous form is called
   */
  record Acquire(@Nullable String key, long permits, boolean async) implements Step {
    @Override
    public String toString() {
      return "acquire " + Notation.key(key) + " " + permits + (async ? " async" : "");
    }
  }

  /**
   * Asks for what the last decision on the key said remains, or for more, and at least for one
   * permit: {@code acquire a rest+1}.
   *
   * @param key the key
   * @param extra how many permits more
   */
  record AcquireRest(String key, long extra) implements Step {
    @Override
    public String toString() {
      return "acquire " + Notation.key(key) + " rest" + (extra == 0 ? "" : "+" + extra);
    }
  }

  /** Asks the last request again: {@code again}. */
  record Again() implements Step {
    @Override
    public String toString() {
      return "again";
    }
  }

  /**
   * Asks what would be answered: {@code peek a 1}.
   *
   * @param key the key; null and the empty string are bad arguments made on purpose
   * @param permits the permits; those below 1 are bad arguments made on purpose
   */
  record Peek(@Nullable String key, long permits) implements Step {
    @Override
    public String toString() {
      return "peek " + Notation.key(key) + " " + permits;
    }
  }

  /**
   * Forgets the key: {@code reset a}.
   *
   * @param key the key; null and the empty string are bad arguments made on purpose
   */
  record Reset(@Nullable String key) implements Step {
    @Override
    public String toString() {
      return "reset " + Notation.key(key);
    }
  }

  /**
   * Lets time pass: {@code advance 999999us}.
   *
   * @param by how much
   */
  record Advance(Duration by) implements Step {
    @Override
    public String toString() {
      return "advance " + Notation.duration(by);
    }
  }

  /**
   * Lets time pass until a moment, if that lies ahead: {@code advance to retry-1us}.
   *
   * @param moment the moment
   * @param offset how much after it, or, negative, before it
   */
  record AdvanceTo(Moment moment, Duration offset) implements Step {
    @Override
    public String toString() {
      String sign = offset.isNegative() ? "-" : "+";
      return "advance to "
          + moment.word()
          + (offset.isZero() ? "" : sign + Notation.duration(offset.abs()));
    }
  }

  /**
   * Sets the clock back, while no true time passes: {@code back 1d}.
   *
   * @param by how much
   */
  record StepBack(Duration by) implements Step {
    @Override
    public String toString() {
      return "back " + Notation.duration(by);
    }
  }

  /**
   * Sets the clock forward, while no true time passes: {@code forward 1d}.
   *
   * @param by how much
   */
  record StepForward(Duration by) implements Step {
    @Override
    public String toString() {
      return "forward " + Notation.duration(by);
    }
  }

  /**
   * Goes on with a limiter of another limit on the same state: {@code limit 3}.
   *
   * @param limit the new limit
   */
  record Limit(long limit) implements Step {
    @Override
    public String toString() {
      return "limit " + limit;
    }
  }

  /**
   * Asks several requests at one instant, each in a thread of its own: {@code together (acquire a
   * 1, acquire a 1)}.
   *
   * @param requests the requests
   */
  record Together(List<Acquire> requests) implements Step {

    /**
     * Copies the list.
     *
     * @param requests the component of that name
     */
    public Together {
      requests = List.copyOf(requests);
    }

    @Override
    public String toString() {
      return "together (" + Notation.join(requests, ", ") + ")";
    }
  }

  /**
   * Takes some steps several times: {@code repeat 9 (acquire a 1; advance 1s)}.
   *
   * @param times how often
   * @param steps the steps
   */
  record Repeat(int times, List<Step> steps) implements Step {

    /**
     * Copies the list.
     *
     * @param times the component of that name
     * @param steps the component of that name
     */
    public Repeat {
      steps = List.copyOf(steps);
    }

    @Override
    public String toString() {
      return "repeat " + times + " (" + Notation.join(steps, "; ") + ")";
    }
  }

  /**
   * Changes whether the store answers: {@code store cut}.
   *
   * @param change the change
   */
  record Store(Change change) implements Step {

    /** A change of the store. */
    public enum Change {
      /** It is unreachable from now on. */
      CUT,
      /** It does what the next call asks for, but the answer is lost. */
      LOSE_REPLY,
      /** It answers again. */
      RESTORE;

      /**
       * Returns the word of the notation.
       *
       * @return such as {@code lose-reply}
       */
      public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }

    @Override
    public String toString() {
      return "store " + change.word();
    }
  }

  /** Counts the keys that have state in the store: {@code count}. */
  record CountKeys() implements Step {
    @Override
    public String toString() {
      return "count";
    }
  }

  /** A moment that a trace can wait for. */
  enum Moment {
    /** When the retryAfter that the last acquire was told is over. */
    RETRY,
    /** When the resetAfter that the last acquire was told is over. */
    RESET,
    /**
     * The next whole multiple since 1970 of what windows are aligned to, or of the policy's life
     * where they are not.
     */
    BORDER;

    /**
     * Returns the word of the notation.
     *
     * @return such as {@code retry}
     */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
