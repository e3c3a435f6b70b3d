package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import dev.weir.conformance.Step.Moment;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    OVER_LIMIT,
    REST,
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
    ANY_KEY,
    CUT,
    LOSE_REPLY,
    COUNT_KEYS
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

  /** Picks the policy of a draft. */
  static <P extends Policy> P policy(List<P> policies, Draft draft) {
    return policies.get(draft.policy() % policies.size());
  }

  static Scenario compose(Case<?> c, Rule rule, Draft draft) {
    Composer composer = new Composer(c, rule);
    Map<Action, Integer> weights = composer.weights(draft);
    int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
    if (rule == Rule.LOST_REPLY && draft.start() % 4 != 0 && !draft.genes().isEmpty()) {
      // Only the first lost reply is judged, and on a full key a second charge does not show.
      composer.add(Action.LOSE_REPLY, draft.genes().get(0));
    }
    for (Draft.Gene gene : draft.genes()) {
      int rest = gene.kind() * sum / 1_000;
      for (Map.Entry<Action, Integer> weight : weights.entrySet()) {
        if (rest < weight.getValue()) {
          composer.add(weight.getKey(), gene);
          break;
        }
        rest -= weight.getValue();
      }
    }
    return new Scenario(Times.instant(composer.start(draft.start())), composer.steps);
  }

  private Map<Action, Integer> weights(Draft draft) {
    Map<Action, Integer> weights = new EnumMap<>(Action.class);
    boolean time = c.has(Feature.VIRTUAL_TIME);
    boolean waits = time && c.has(Feature.RETRY_AFTER);
    boolean resets = time && c.has(Feature.RESET_AFTER);
    weights.put(Action.ACQUIRE, 45);
    weights.put(Action.AGAIN, waits ? 15 : 0);
    weights.put(Action.ADVANCE, time ? 25 : 0);
    weights.put(Action.AS_NEW, resets ? 8 : 0);
    weights.put(Action.ONE_LIFE, time ? 7 : 0);
    switch (rule) {
      case RESET_AFTER_SUFFICES, RESET_AFTER_IS_SHORTEST, ADMITS_WHAT_FITS ->
          weights.put(Action.AS_NEW, resets ? 30 : 0);
      case NEVER_MEANS_OVER_LIMIT -> weights.put(Action.OVER_LIMIT, 20);
      case RETRY_AFTER_SUFFICES, RETRY_AFTER_IS_SHORTEST, PAUSES_SPLIT ->
          weights.put(Action.AGAIN, waits ? 40 : 0);
      case REMAINING_IS_TRUE -> weights.put(Action.REST, c.has(Feature.WEIGHTS) ? 30 : 0);
      case HALF_OPEN -> weights.put(Action.ONE_LIFE, 30);
      case PEEK_AND_RESET -> peeksAndResets(weights, 25, 12);
      case TWO_LIMITERS -> peeksAndResets(weights, 5, 3);
      case REMAINING_IN_RANGE -> {
        weights.put(Action.LIMIT, time && c.has(Feature.SHARED_STATE) ? 15 : 0);
        weights.put(Action.AS_NEW, resets ? 20 : 0);
      }
      case BACKWARD_CLOCK -> {
        weights.put(Action.EDGE, 20);
        weights.put(Action.BACK, 30);
        weights.put(Action.FORWARD, draft.start() % 2 == 0 ? 0 : 5);
        weights.put(Action.ONE_LIFE, 0);
      }
      case FIXED_WINDOW_MODEL,
          SLIDING_WINDOW_MODEL,
          TOKEN_BUCKET_MODEL,
          SLIDING_WINDOW_COUNTER_MODEL -> {
        peeksAndResets(weights, 6, 3);
        if (c.has(Feature.CLOCK_STEPS) && draft.start() % 3 == 0) {
          weights.put(Action.BACK, 15);
          weights.put(Action.FORWARD, 4);
        } else if (c.has(Feature.SHARED_STATE) && draft.start() % 3 == 1) {
          weights.put(Action.LIMIT, 8);
        }
      }
      case TWO_CENTURIES -> weights.put(Action.CENTURIES, 25);
      case ANY_KEY -> {
        weights.clear();
        weights.put(Action.ANY_KEY, 1);
      }
      case BAD_ARGUMENTS -> weights.put(Action.BAD, 40);
      case THREADS -> weights.put(Action.TOGETHER, 40);
      case STORE_FAILURE -> {
        peeksAndResets(weights, 5, 5);
        weights.put(Action.CUT, 25);
      }
      case LOST_REPLY -> weights.put(Action.LOSE_REPLY, 25);
      case STATE_RELEASED -> {
        weights.put(Action.ONE_LIFE, 0);
        weights.put(Action.COUNT_KEYS, 30);
      }
      default -> {}
    }
    return weights;
  }

  private void peeksAndResets(Map<Action, Integer> weights, int peeks, int resets) {
    weights.put(Action.PEEK, c.has(Feature.PEEK) ? peeks : 0);
    weights.put(Action.RESET, c.has(Feature.RESET) ? resets : 0);
  }

  private void add(Action action, Draft.Gene gene) {
    String key = key(gene);
    switch (action) {
      case ACQUIRE -> steps.add(acquire(key, gene));
      case AGAIN -> again(gene);
      case ADVANCE -> steps.add(advance(gene));
      case OVER_LIMIT -> overLimit(key, gene);
      case REST -> {
        steps.add(new Step.Acquire(key, 1, false));
        if (gene.time() % 2 == 0) {
          steps.add(acquire("b", gene));
        }
        steps.add(new Step.AcquireRest(key, gene.size() % 2));
      }
      case AS_NEW -> {
        if (gene.key() % 3 == 0) {
          // Who is denied is told a reset, too.
          steps.add(new Step.Acquire(lastKey, weight(c.limit()), false));
          steps.add(new Step.Advance(Times.duration(ticks(life / 2))));
          steps.add(new Step.Acquire(lastKey, weight(c.limit()), false));
        }
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
        if (gene.size() % 3 == 0) {
          steps.add(new Step.Acquire(key.equals("b") ? "a" : "b", 1, false));
        }
        steps.add(new Step.Limit(limit));
        steps.add(new Step.AcquireRest(key, 1));
      }
      case CENTURIES -> {
        steps.add(new Step.Advance(CENTURIES));
        steps.add(new Step.Acquire(lastKey, weight(gene.size() < 500 ? c.limit() : 1), false));
      }
      case CUT -> cut(key, gene);
      case LOSE_REPLY -> {
        steps.add(new Step.Store(Step.Store.Change.LOSE_REPLY));
        steps.add(new Step.Acquire(key, weight(1L + gene.size() % 2), gene.time() % 2 == 0));
        steps.add(new Step.Store(Step.Store.Change.RESTORE));
        steps.add(new Step.Acquire(key, 1, false));
      }
      case COUNT_KEYS -> {
        if (gene.size() % 3 == 0) {
          steps.add(new Step.Advance(Times.duration(2 * life)));
        } else if (gene.size() % 3 == 1) {
          // Denied requests must not make the state live longer.
          Step.Advance almostLife = new Step.Advance(Times.duration(ticks(life - c.tick())));
          steps.add(new Step.Acquire(key, weight(c.limit()), false));
          steps.add(almostLife);
          steps.add(new Step.Acquire(key, weight(c.limit()), false));
          steps.add(almostLife);
          steps.add(new Step.Acquire(key, weight(c.limit()), false));
          steps.add(new Step.Advance(Times.duration(2 * c.tick())));
        }
        steps.add(new Step.CountKeys());
      }
      case ANY_KEY -> {
        String some = fragment(gene.key()) + (gene.kind() % 3 == 0 ? "" : fragment(gene.size()));
        boolean async = gene.time() % 7 == 0;
        steps.add(new Step.Acquire(some, weight(c.limit()), async));
        String other = lookAlike(some, gene.time());
        if (!other.isEmpty()) {
          steps.add(new Step.Acquire(other, weight(c.limit()), async));
        }
      }
    }
    lastKey = key;
  }

  private void again(Draft.Gene gene) {
    Step.Acquire all = new Step.Acquire(lastKey, weight(c.limit()), false);
    boolean after = false;
    switch (gene.key() % 4) {
      case 0 -> steps.add(new Step.AcquireRest(lastKey, 1));
      case 1 -> steps.add(all);
      case 2 -> {
        // Permits of different ages, so that a request has to wait for several to leave.
        steps.add(new Step.Acquire(lastKey, 1, false));
        steps.add(new Step.Advance(Times.duration(ticks(life / 3))));
        steps.add(new Step.AcquireRest(lastKey, 0));
        steps.add(all);
      }
      default -> {
        after = c.has(Feature.OVERSIZE) && c.has(Feature.WEIGHTS) && gene.size() % 2 == 0;
        if (after) {
          steps.add(all);
          steps.add(all);
        }
      }
    }
    long offset = gene.time() < 450 ? 0 : gene.time() < 900 ? -1 : 1;
    steps.add(to(Moment.RETRY, offset));
    if (after) {
      // When the wait is over, a request that is denied comes first.
      steps.add(new Step.Acquire(lastKey, c.limit() + 1, false));
      steps.add(all);
    } else {
      steps.add(new Step.Again());
    }
  }

  /** A request over the limit, while what was taken before counts, or right after. */
  private void overLimit(String key, Draft.Gene gene) {
    Step.Acquire all = new Step.Acquire(key, c.limit(), false);
    steps.add(all);
    if (gene.time() % 2 == 0 || !c.has(Feature.RESET_AFTER)) {
      steps.add(new Step.Advance(Times.duration(ticks(life / 2))));
      steps.add(new Step.Acquire(key, over(gene), false));
      steps.add(new Step.Advance(Times.duration(ticks(life - life / 2))));
    } else {
      steps.add(to(Moment.RESET, 1));
      steps.add(new Step.Acquire(key, c.limit() + 1, false));
    }
    steps.add(all);
  }

  private void cut(String key, Draft.Gene gene) {
    steps.add(new Step.Store(Step.Store.Change.CUT));
    steps.add(
        switch (gene.time() % 4) {
          case 0 -> c.has(Feature.PEEK) ? new Step.Peek(key, 1) : new Step.Acquire(key, 1, true);
          case 1 -> c.has(Feature.RESET) ? new Step.Reset(key) : new Step.Acquire(key, 1, false);
          case 2 -> new Step.Acquire(key, 1, true);
          default -> new Step.Acquire(key, permits(gene), false);
        });
    steps.add(new Step.Store(Step.Store.Change.RESTORE));
  }

  /** Another key that careless handling would take for the same. */
  private static String lookAlike(String key, int gene) {
    return switch (gene % 16) {
      case 0 -> key.toUpperCase(Locale.ROOT);
      case 1 -> key.toLowerCase(Locale.ROOT);
      case 2 -> key + " ";
      case 3 -> " " + key;
      case 4 -> key + "\u0000";
      case 5 -> key + "\n";
      case 6 -> Normalizer.normalize(key, Normalizer.Form.NFKC);
      case 7 -> Normalizer.normalize(key, Normalizer.Form.NFD);
      case 8 -> key.replaceAll("[^ -~]", "?");
      case 9 -> new String(key.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      case 10 -> key.replace("%", "%25").replace(":", "%3A");
      case 11 -> key.replace("{", "%7B").replace("}", "%7D");
      case 12 -> key.substring(0, key.length() - 1);
      case 13 -> key.substring(1);
      case 14 -> new StringBuilder(key).reverse().toString();
      default -> key + key;
    };
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
                            : size < 930 ? 1 + gene.time() % Math.min(limit, 1_000) : over(gene);
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
    long beside = gene.size() % 3 - 1L;
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
    long permits = weight(1L + gene.size() % Math.min(c.limit(), 3));
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
    long border = Times.ceil(c.border(), c.tick());
    long anchor = Times.micros(ANCHOR) / border * border;
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
