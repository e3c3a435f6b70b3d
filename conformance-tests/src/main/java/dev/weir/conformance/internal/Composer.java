package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import dev.weir.conformance.Step.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Composes scenarios of drafts: what a rule needs, where limiters err, as far as the limiter
 * supports it.
 *
 * <p>Most times lie on an edge or one tick beside it: a life after something, the next border, the
 * end of a wait. Most requests are for one permit, the limit, what remains, or one more.
 */
final class Composer {

  /** What a gene can stand for. */
  private enum Action {
    ACQUIRE,
    AGAIN,
    ADVANCE,
    AS_NEW,
    ONE_LIFE,
    EDGE,
    PEEK,
    RESET,
    BACK,
    FORWARD,
    TOGETHER,
    BAD,
    LIMIT,
    CENTURIES,
    ANY_KEY
  }

  /** Fragments of keys that encodings, separators and comparisons trip over. */
  private static final String[] FRAGMENTS = {
    "a",
    "A",
    "b",
    ":",
    "/",
    "|",
    ".",
    "-",
    "_",
    "%",
    "%3A",
    "%25",
    "{",
    "}",
    "{a}",
    "\\",
    "\"",
    "*",
    "?",
    " ",
    "\t",
    "\n",
    "\u0000",
    "\u00e9",
    "e\u0301",
    "\ufb01",
    "\u0130",
    "\ud83d\ude00",
    "\ud800",
    "\udc00",
    "?",
    "\ufffd",
    "null",
    "0",
    "1",
    "01",
    "1.0",
    "weir1:"
  };

  private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration CENTURIES = Duration.ofDays(73_000);

  private final Case<?> c;
  private final Rule rule;
  private final long life;
  private final List<Step> steps = new ArrayList<>();
  private String lastKey = "a";

  private Composer(Case<?> c, Rule rule) {
    this.c = c;
    this.rule = rule;
    this.life = Times.ceil(c.life(), c.tick());
  }

  /** Picks the policy of a draft: mostly one of the first, which are simple. */
  static <P extends Policy> P policy(List<P> policies, Draft draft) {
    return policies.get(draft.policy() % policies.size());
  }

  static Scenario compose(Case<?> c, Rule rule, Draft draft) {
    Composer composer = new Composer(c, rule);
    int[] weights = composer.weights(draft);
    int sum = 0;
    for (int weight : weights) {
      sum += weight;
    }
    for (Draft.Gene gene : draft.genes()) {
      int rest = gene.kind() * sum / 1_000;
      int action = 0;
      while (rest >= weights[action]) {
        rest -= weights[action++];
      }
      composer.add(Action.values()[action], gene);
    }
    return new Scenario(Times.instant(composer.start(draft.start())), composer.steps);
  }

  private int[] weights(Draft draft) {
    int[] weights = new int[Action.values().length];
    boolean time = c.has(Feature.VIRTUAL_TIME);
    boolean waits = time && c.has(Feature.RETRY_AFTER);
    boolean resets = time && c.has(Feature.RESET_AFTER);
    weights[Action.ACQUIRE.ordinal()] = 45;
    weights[Action.AGAIN.ordinal()] = waits ? 15 : 0;
    weights[Action.ADVANCE.ordinal()] = time ? 25 : 0;
    weights[Action.AS_NEW.ordinal()] = resets ? 8 : 0;
    weights[Action.ONE_LIFE.ordinal()] = time ? 7 : 0;
    switch (rule) {
      case RESET_AFTER_SUFFICES, RESET_AFTER_IS_SHORTEST, ADMITS_WHAT_FITS ->
          weights[Action.AS_NEW.ordinal()] = resets ? 30 : 0;
      case RETRY_AFTER_SUFFICES, RETRY_AFTER_IS_SHORTEST, PAUSES_SPLIT ->
          weights[Action.AGAIN.ordinal()] = waits ? 40 : 0;
      case HALF_OPEN -> weights[Action.ONE_LIFE.ordinal()] = 30;
      case PEEK_AND_RESET -> peeksAndResets(weights, 25, 12);
      case TWO_LIMITERS -> peeksAndResets(weights, 5, 3);
      case REMAINING_IN_RANGE ->
          weights[Action.LIMIT.ordinal()] = c.has(Feature.SHARED_STATE) ? 15 : 0;
      case BACKWARD_CLOCK -> {
        weights[Action.EDGE.ordinal()] = 20;
        weights[Action.BACK.ordinal()] = 30;
        weights[Action.FORWARD.ordinal()] = draft.start() % 2 == 0 ? 0 : 5;
        weights[Action.ONE_LIFE.ordinal()] = 0;
      }
      case FIXED_WINDOW_MODEL,
          SLIDING_WINDOW_MODEL,
          TOKEN_BUCKET_MODEL,
          SLIDING_WINDOW_COUNTER_MODEL -> {
        peeksAndResets(weights, 6, 3);
        if (c.has(Feature.CLOCK_STEPS) && draft.start() % 3 == 0) {
          weights[Action.BACK.ordinal()] = 15;
          weights[Action.FORWARD.ordinal()] = 4;
        } else if (c.has(Feature.SHARED_STATE) && draft.start() % 3 == 1) {
          weights[Action.LIMIT.ordinal()] = 8;
        }
      }
      case TWO_CENTURIES -> weights[Action.CENTURIES.ordinal()] = 25;
      case ANY_KEY -> {
        java.util.Arrays.fill(weights, 0);
        weights[Action.ANY_KEY.ordinal()] = 1;
      }
      case BAD_ARGUMENTS -> weights[Action.BAD.ordinal()] = 40;
      case THREADS -> weights[Action.TOGETHER.ordinal()] = 40;
      default -> {}
    }
    return weights;
  }

  private void peeksAndResets(int[] weights, int peeks, int resets) {
    weights[Action.PEEK.ordinal()] = c.has(Feature.PEEK) ? peeks : 0;
    weights[Action.RESET.ordinal()] = c.has(Feature.RESET) ? resets : 0;
  }

  private void add(Action action, Draft.Gene gene) {
    String key = key(gene);
    switch (action) {
      case ACQUIRE -> steps.add(acquire(key, gene));
      case AGAIN -> {
        if (gene.key() % 2 == 0) {
          steps.add(new Step.AcquireRest(lastKey, 1));
        }
        long offset = gene.time() < 450 ? 0 : gene.time() < 900 ? -1 : 1;
        steps.add(to(Moment.RETRY, offset));
        steps.add(new Step.Again());
      }
      case ADVANCE -> steps.add(advance(gene));
      case AS_NEW -> {
        steps.add(to(Moment.RESET, gene.time() < 450 ? 0 : gene.time() < 900 ? -1 : 1));
        steps.add(new Step.Acquire(lastKey, weight(gene.size() < 700 ? c.limit() : 1), false));
      }
      case ONE_LIFE -> {
        steps.add(acquire(key, gene));
        steps.add(new Step.Advance(Times.duration(life)));
        steps.add(new Step.Acquire(key, weight(c.limit()), false));
      }
      case EDGE -> {
        steps.add(to(Moment.BORDER, -1));
        steps.add(new Step.Acquire(key, weight(c.limit()), false));
        steps.add(new Step.Advance(Times.duration(c.tick())));
        steps.add(new Step.Acquire(key, weight(c.limit()), false));
      }
      case PEEK -> {
        long permits = permits(gene);
        steps.add(new Step.Peek(key, permits));
        if (gene.time() % 2 == 0) {
          steps.add(new Step.Acquire(key, permits, false));
        }
      }
      case RESET -> steps.add(new Step.Reset(key));
      case BACK -> {
        steps.add(new Step.StepBack(Times.duration(stepBack(gene))));
        steps.add(new Step.Acquire(key, weight(gene.size() < 500 ? 1 : c.limit()), false));
        if (gene.key() % 2 == 0) {
          steps.add(new Step.Advance(Times.duration(c.tick())));
          steps.add(new Step.Acquire(key, weight(c.limit()), false));
        }
      }
      case FORWARD ->
          steps.add(new Step.StepForward(Times.duration(Math.max(c.tick(), stepBack(gene)))));
      case TOGETHER -> together(key, gene);
      case BAD -> steps.add(bad(gene));
      case LIMIT -> {
        long limit = gene.size() % 2 == 0 ? 1 + gene.time() % 8 : Math.max(1, c.limit() / 2);
        steps.add(new Step.Acquire(key, 1, false));
        steps.add(new Step.Limit(limit));
        steps.add(new Step.AcquireRest(key, 1));
      }
      case CENTURIES -> {
        steps.add(new Step.Advance(CENTURIES));
        steps.add(new Step.Acquire(lastKey, weight(gene.size() < 500 ? c.limit() : 1), false));
      }
      case ANY_KEY -> {
        String fragments =
            fragment(gene.key()) + (gene.kind() % 3 == 0 ? "" : fragment(gene.size()));
        String some = gene.time() % 5 == 0 ? fragments + fragment(gene.time()) : fragments;
        steps.add(new Step.Acquire(some, weight(c.limit()), gene.time() % 7 == 0));
      }
    }
    lastKey = key;
  }

  private static String fragment(int gene) {
    // One very long key among many short ones.
    return gene == 999 ? "long".repeat(2_000) : FRAGMENTS[gene % FRAGMENTS.length];
  }

  private static String key(Draft.Gene gene) {
    return gene.key() < 750 ? "a" : gene.key() < 900 ? "b" : gene.key() < 970 ? "c" : "d";
  }

  private Step acquire(String key, Draft.Gene gene) {
    int size = gene.size();
    if (c.has(Feature.REMAINING) && c.has(Feature.WEIGHTS) && size >= 700 && size < 900) {
      return new Step.AcquireRest(key, size < 780 ? 0 : 1);
    }
    return new Step.Acquire(key, permits(gene), gene.time() % 4 == 0);
  }

  private long permits(Draft.Gene gene) {
    long limit = c.limit();
    int size = gene.size();
    long permits =
        size < 380
            ? 1
            : size < 450
                ? 2
                : size < 560
                    ? limit
                    : size < 610
                        ? limit - 1
                        : size < 660
                            ? limit / 2 + 1
                            : size < 960 ? 1 + gene.time() % Math.min(limit, 1_000) : over(gene);
    return weight(permits);
  }

  private long over(Draft.Gene gene) {
    return switch (gene.time() % 4) {
      case 0 -> Long.MAX_VALUE;
      case 1 -> c.limit() + 1 + gene.time();
      case 2 -> Math.max(c.limit() + 1, 1L << 53);
      default -> c.limit() + 1;
    };
  }

  /** Permits that the limiter takes requests for. */
  private long weight(long permits) {
    if (!c.has(Feature.WEIGHTS)) {
      return 1;
    }
    return Math.max(1, c.has(Feature.OVERSIZE) ? permits : Math.min(permits, c.limit()));
  }

  private Step.AdvanceTo to(Moment moment, long ticks) {
    Duration offset = Times.duration(Math.abs(ticks) * c.tick());
    return new Step.AdvanceTo(moment, ticks < 0 ? offset.negated() : offset);
  }

  private Step advance(Draft.Gene gene) {
    long beside = gene.size() % 3 - 1;
    int time = gene.time();
    if (time < 130) {
      return to(Moment.BORDER, beside);
    } else if (time >= 650 && time < 760) {
      return to(Moment.RETRY, beside);
    } else if (time >= 760 && time < 850) {
      return to(Moment.RESET, beside);
    }
    long micros =
        time < 330
            ? life + beside * c.tick()
            : time < 430
                ? c.tick()
                : time < 500
                    ? life / 2
                    : time < 650
                        ? life / Math.min(c.limit(), 1_000) + beside * c.tick()
                        : time < 970 ? life / 1_000 * gene.size() + time : 2 * life;
    return new Step.Advance(Times.duration(ticks(micros)));
  }

  private long ticks(long micros) {
    return Math.max(c.tick(), micros / c.tick() * c.tick());
  }

  private long stepBack(Draft.Gene gene) {
    long day = 86_400_000_000L;
    return switch (gene.time() % 10) {
      case 0 -> c.tick();
      case 1 -> ticks(life / 2);
      case 2 -> life - c.tick() > 0 ? life - c.tick() : c.tick();
      case 3 -> life;
      case 4, 5 -> life + c.tick();
      case 6 -> 2 * life;
      case 7 -> 3 * life + c.tick();
      case 8 -> ticks(day);
      default -> ticks(Math.min(day, life / 300 * gene.size() + gene.time()));
    };
  }

  private void together(String key, Draft.Gene gene) {
    int threads = 2 + gene.time() % 7;
    List<Step.Acquire> requests = new ArrayList<>();
    long permits = weight(1 + gene.size() % Math.min(c.limit(), 3));
    for (int i = 0; i < threads; i++) {
      boolean other = gene.kind() % 4 == 0 && i % 2 == 1;
      requests.add(new Step.Acquire(key, other ? weight(permits + 1) : permits, i % 3 == 2));
    }
    steps.add(new Step.Together(requests));
  }

  private static Step bad(Draft.Gene gene) {
    long permits =
        switch (gene.size() % 4) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> -1 - gene.time();
          default -> Long.MIN_VALUE;
        };
    return switch (gene.time() % 8) {
      case 0 -> new Step.Acquire(null, 1, false);
      case 1 -> new Step.Acquire(null, 1, true);
      case 2 -> new Step.Acquire("", 1, false);
      case 3 -> new Step.Acquire("", 1, true);
      case 4, 5 -> new Step.Acquire("a", permits, gene.time() % 16 > 7);
      case 6 -> new Step.Acquire("a", permits, true);
      default -> new Step.Acquire("a", permits, false);
    };
  }

  private long start(int gene) {
    if (!c.has(Feature.VIRTUAL_TIME)) {
      return Times.micros(ANCHOR);
    }
    long anchor = Times.micros(ANCHOR) / life * life;
    long unaligned = Times.micros(ANCHOR) / c.tick() * c.tick();
    long start =
        switch (gene % 10) {
          case 0, 1, 2 -> anchor;
          case 3 -> anchor - c.tick();
          case 4 -> anchor + c.tick();
          case 5 -> anchor + life / 2 / c.tick() * c.tick();
          case 6, 7 -> anchor + ticks(life / 1_000 * gene);
          case 8 -> unaligned;
          default -> gene < 500 ? 0 : gene < 700 ? life : unaligned;
        };
    return Math.max(0, start);
  }
}
