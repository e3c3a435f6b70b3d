package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shrinks a scenario that breaks a rule: the fewest steps, then the simplest steps, then the
 * simplest policy with which the same rule is still broken.
 *
 * <p>Each change is kept only if the rule is still broken; the number of steps taken is bounded, so
 * that a limiter behind a network is shrunk in seconds, too.
 */
final class Shrinker<P extends Policy> {

  private static final long MOST_COST = 20_000;

  /** A scenario with which a rule is broken. */
  record Broken<P extends Policy>(Case<P> c, Scenario scenario, Finding finding) {}

  private final Judge judge;
  private Broken<P> best;
  private long spent;

  private Shrinker(Judge judge, Broken<P> found) {
    this.judge = judge;
    this.best = found;
  }

  static <P extends Policy> Broken<P> shrink(Judge judge, Broken<P> found) {
    Shrinker<P> shrinker = new Shrinker<>(judge, found);
    Scenario before;
    do {
      before = shrinker.best.scenario();
      shrinker.dropSteps();
      shrinker.simplifyPolicy();
      shrinker.simplifySteps();
    } while (!before.equals(shrinker.best.scenario()) && shrinker.spent < MOST_COST);
    return shrinker.best;
  }

  private boolean accept(Case<P> c, Scenario candidate) {
    // Which of several threads comes first is chance.
    int attempts = candidate.steps().stream().anyMatch(Step.Together.class::isInstance) ? 3 : 1;
    for (int i = 0; i < attempts && spent < MOST_COST; i++) {
      spent += cost(candidate.steps());
      Finding finding = judge.judge(c, candidate);
      if (finding != null) {
        best = new Broken<>(c, candidate, finding);
        return true;
      }
    }
    return false;
  }

  private boolean accept(List<Step> steps) {
    return accept(best.c(), new Scenario(best.scenario().start(), steps));
  }

  /** Drops halves, then smaller runs of steps, at last pairs that lie apart. */
  private void dropSteps() {
    for (int size = Math.max(1, steps().size() / 2); size >= 1; size /= 2) {
      for (int from = steps().size() - size; from >= 0; from--) {
        if (from + size <= steps().size()) {
          List<Step> fewer = new ArrayList<>(steps());
          fewer.subList(from, from + size).clear();
          accept(fewer);
        }
      }
    }
    for (int i = steps().size() - 1; i > 0; i--) {
      for (int j = i - 1; j >= 0 && i < steps().size(); j--) {
        List<Step> fewer = new ArrayList<>(steps());
        fewer.remove(i);
        fewer.remove(j);
        accept(fewer);
      }
    }
  }

  /** What a run costs, in requests of one thread. */
  private static long cost(List<Step> steps) {
    return steps.stream().mapToLong(Shrinker::cost).sum();
  }

  private static long cost(Step step) {
    if (step instanceof Step.Repeat repeat) {
      return repeat.times() * cost(repeat.steps());
    }
    return step instanceof Step.Together together ? 5L * together.requests().size() : 1;
  }

  private List<Step> steps() {
    return best.scenario().steps();
  }

  private void simplifyPolicy() {
    List<P> policies = best.c().subject().policies();
    int now = policies.indexOf(best.c().policy());
    for (int i = 0; i < (now < 0 ? policies.size() : now); i++) {
      Case<P> simpler = new Case<>(best.c().subject(), policies.get(i));
      if (accept(simpler, rescaled(best, simpler))) {
        return;
      }
    }
  }

  /** The scenario with what was measured by the old policy measured by the new one. */
  private static Scenario rescaled(Broken<?> broken, Case<?> to) {
    Case<?> from = broken.c();
    long start = Times.micros(broken.scenario().start());
    long border = start / from.border() * from.border();
    long aligned = start / to.border() * to.border();
    long within = start - border;
    long newStart =
        within == 0
            ? aligned
            : from.border() - within <= 2 * from.tick()
                ? Math.max(0, aligned - (from.border() - within))
                : within <= 2 * from.tick() ? aligned + within : start;
    List<Step> steps = new ArrayList<>();
    for (Step step : broken.scenario().steps()) {
      steps.add(rescaled(step, from, to));
    }
    return new Scenario(Times.instant(newStart), steps);
  }

  private static Step rescaled(Step step, Case<?> from, Case<?> to) {
    if (step instanceof Step.Advance advance) {
      return new Step.Advance(rescaled(advance.by(), from, to));
    } else if (step instanceof Step.StepBack back) {
      return new Step.StepBack(rescaled(back.by(), from, to));
    } else if (step instanceof Step.StepForward forward) {
      return new Step.StepForward(rescaled(forward.by(), from, to));
    } else if (step instanceof Step.Acquire acquire) {
      return new Step.Acquire(
          acquire.key(), rescaled(acquire.permits(), from, to), acquire.async());
    } else if (step instanceof Step.Peek peek) {
      return new Step.Peek(peek.key(), rescaled(peek.permits(), from, to));
    }
    return step;
  }

  private static long rescaled(long permits, Case<?> from, Case<?> to) {
    long beside = permits - from.limit();
    return permits > 1 && Math.abs(beside) <= 1 && from.limit() > 1
        ? Math.max(1, to.limit() + beside)
        : permits;
  }

  private static Duration rescaled(Duration duration, Case<?> from, Case<?> to) {
    long micros = Times.micros(duration);
    long lives = (micros + from.life() / 2) / from.life();
    long beside = micros - lives * from.life();
    if (lives > 0 && lives <= 3 && Math.abs(beside) <= 2 * from.tick()) {
      return Times.duration(Math.max(to.tick(), lives * to.life() + beside));
    }
    if (micros <= 2 * from.tick()) {
      return duration;
    }
    double scaled = (double) micros / from.life() * to.life();
    return scaled > Times.MAX
        ? duration
        : Times.duration(Math.max(to.tick(), (long) scaled / to.tick() * to.tick()));
  }

  private void simplifySteps() {
    Scenario plain = new Scenario(java.time.Instant.parse("2026-01-01T00:00:00Z"), steps());
    if (!plain.start().equals(best.scenario().start())) {
      accept(best.c(), plain);
    }
    for (int i = 0; i < steps().size(); i++) {
      List<Step> tried = new ArrayList<>();
      boolean changed = true;
      while (changed && spent < MOST_COST) {
        changed = false;
        for (Step candidate : simpler(steps().get(i))) {
          if (tried.contains(candidate)) {
            continue;
          }
          tried.add(candidate);
          List<Step> other = new ArrayList<>(steps());
          other.set(i, candidate);
          if (accept(other)) {
            changed = true;
            break;
          }
        }
      }
    }
  }

  private List<Step> simpler(Step step) {
    List<Step> candidates = new ArrayList<>();
    if (step instanceof Step.Acquire acquire) {
      simplerRequest(acquire.key(), acquire.permits())
          .forEach(r -> candidates.add(new Step.Acquire(r.key(), r.permits(), acquire.async())));
      if (acquire.async()) {
        candidates.add(new Step.Acquire(acquire.key(), acquire.permits(), false));
      }
    } else if (step instanceof Step.AcquireRest rest) {
      candidates.add(new Step.Acquire(rest.key(), 1, false));
      if (best.c().has(Feature.WEIGHTS)) {
        candidates.add(new Step.Acquire(rest.key(), best.c().limit(), false));
      }
    } else if (step instanceof Step.Peek peek) {
      simplerRequest(peek.key(), peek.permits())
          .forEach(r -> candidates.add(new Step.Peek(r.key(), r.permits())));
    } else if (step instanceof Step.Advance advance) {
      simpler(advance.by()).forEach(by -> candidates.add(new Step.Advance(by)));
    } else if (step instanceof Step.AdvanceTo to && !to.offset().isZero()) {
      candidates.add(new Step.AdvanceTo(to.moment(), Duration.ZERO));
    } else if (step instanceof Step.StepBack back) {
      simpler(back.by()).forEach(by -> candidates.add(new Step.StepBack(by)));
    } else if (step instanceof Step.StepForward forward) {
      simpler(forward.by()).forEach(by -> candidates.add(new Step.StepForward(by)));
    } else if (step instanceof Step.Repeat repeat && repeat.times() > 1) {
      candidates.add(new Step.Repeat(repeat.times() / 2, repeat.steps()));
      candidates.add(new Step.Repeat(repeat.times() - 1, repeat.steps()));
    } else if (step instanceof Step.Together together) {
      simplerGroup(together.requests()).forEach(r -> candidates.add(new Step.Together(r)));
    }
    candidates.remove(step);
    return candidates;
  }

  private static List<List<Step.Acquire>> simplerGroup(List<Step.Acquire> requests) {
    List<List<Step.Acquire>> groups = new ArrayList<>();
    if (requests.size() > 2) {
      groups.add(requests.subList(0, requests.size() / 2 + 1));
      groups.add(requests.subList(0, requests.size() - 1));
    }
    groups.add(requests.stream().map(r -> new Step.Acquire(r.key(), r.permits(), false)).toList());
    groups.add(requests.stream().map(r -> new Step.Acquire(r.key(), 1, false)).toList());
    return groups;
  }

  private List<Step.Acquire> simplerRequest(@Nullable String key, long permits) {
    List<Step.Acquire> requests = new ArrayList<>();
    if (key != null && key.length() > 1) {
      requests.add(new Step.Acquire(key.substring(0, key.length() / 2), permits, false));
      requests.add(new Step.Acquire(key.substring(key.length() / 2), permits, false));
    } else if (key != null && !key.isEmpty() && !key.equals("a")) {
      requests.add(new Step.Acquire("a", permits, false));
    }
    if (permits > 1) {
      requests.add(new Step.Acquire(key, 1, false));
      requests.add(new Step.Acquire(key, Math.min(permits - 1, best.c().limit()), false));
    }
    return requests;
  }

  private List<Duration> simpler(Duration duration) {
    long micros = Times.micros(duration);
    long tick = best.c().tick();
    long life = best.c().life();
    List<Duration> durations = new ArrayList<>();
    for (long candidate :
        new long[] {tick, life / 2 / tick * tick, life - tick, life, life + tick}) {
      if (candidate > 0 && candidate < micros) {
        durations.add(Times.duration(candidate));
      }
    }
    return durations;
  }
}
