package dev.weir.conformance.internal;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import dev.weir.conformance.StoreFailures;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of a scenario on fresh limiters. */
final class Run<P extends Policy> implements AutoCloseable {

  /** Where the requests for a key go. */
  interface Router {
    /** The limiter, and the key there. */
    Target route(String key, int request);
  }

  /** A limiter and a key. */
  record Target(RateLimiter limiter, String key) {}

  private static final long ANSWER_SECONDS = 30;
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "conformance");
            thread.setDaemon(true);
            return thread;
          });

  private final Subject<P> subject;
  private final P policy;
  private final VirtualTime virtual;
  private final boolean isVirtual;
  private final long startedNanos = System.nanoTime();
  private final RunFixture fixture;
  private final List<RateLimiter> limiters = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Decision> last = new HashMap<>();
  private final Map<RateLimiter, Set<String>> used = new LinkedHashMap<>();
  private Router router = (key, request) -> new Target(limiter(request), key);
  private long limit;
  private long keys = -1;
  private @Nullable StoreFailures failures;
  private boolean storeFails;
  private int requests;
  private int era;
  private int line;
  private int groups;
  private @Nullable Event lastAcquire;
  private @Nullable Event failure;

  private Run(Subject<P> subject, P policy, Scenario scenario, int limiterCount) {
    this.subject = subject;
    this.policy = policy;
    this.limit = policy.limit();
    this.isVirtual = subject.has(Feature.VIRTUAL_TIME);
    this.virtual = new VirtualTime(Times.micros(scenario.start()));
    this.fixture = new RunFixture(isVirtual ? virtual : InstantSource.system());
    for (int i = 0; i < limiterCount; i++) {
      limiters.add(subject.create(policy, fixture));
    }
  }

  /** Runs a scenario on one limiter. */
  static <P extends Policy> Trace of(Subject<P> subject, P policy, Scenario scenario) {
    return onSeveral(subject, policy, scenario, 1);
  }

  /** Runs a scenario on several limiters of one store, in turns. */
  static <P extends Policy> Trace onSeveral(
      Subject<P> subject, P policy, Scenario scenario, int limiterCount) {
    try (Run<P> run = new Run<>(subject, policy, scenario, limiterCount)) {
      return run.through(scenario);
    }
  }

  /** Runs a scenario with the requests going where a router says. */
  static <P extends Policy> Trace routed(
      Subject<P> subject, P policy, Scenario scenario, RouterFactory<P> routers) {
    try (Run<P> run = new Run<>(subject, policy, scenario, 1)) {
      run.router = routers.create(run.limiters.get(0), run.fixture);
      return run.through(scenario);
    }
  }

  /** Makes a router for a run. */
  interface RouterFactory<P extends Policy> {
    Router create(RateLimiter limiter, RunFixture fixture);
  }

  private Trace through(Scenario scenario) {
    for (Step step : scenario.steps()) {
      take(step);
      if (failure != null) {
        break;
      }
    }
    return new Trace(scenario.start(), List.copyOf(events), failure);
  }

  private RateLimiter limiter(int request) {
    return limiters.get(request % limiters.size());
  }

  private void take(Step step) {
    if (step instanceof Step.Advance advance) {
      virtual.advance(Times.micros(advance.by()));
    } else if (step instanceof Step.AdvanceTo advanceTo) {
      virtual.advance(target(advanceTo) - virtual.clock());
    } else if (step instanceof Step.StepBack back) {
      long by = virtual.back(Times.micros(back.by()));
      stepped(new Step.StepBack(Times.duration(by)));
    } else if (step instanceof Step.StepForward forward) {
      long by = virtual.forward(Times.micros(forward.by()));
      stepped(new Step.StepForward(Times.duration(by)));
    } else if (step instanceof Step.Limit other) {
      subject
          .withLimit(policy, other.limit())
          .ifPresent(
              changed -> {
                limiters.replaceAll(old -> subject.create(changed, fixture));
                limit = other.limit();
                last.clear();
                stepped(other);
              });
    } else if (step instanceof Step.Store store) {
      change(store);
    } else if (step instanceof Step.CountKeys) {
      keys = subject.retainedKeys(fixture);
      events.add(event(step, now(), -1, null, null));
      keys = -1;
    } else if (step instanceof Step.Again) {
      if (lastAcquire != null) {
        request(lastAcquire.step());
      }
    } else if (step instanceof Step.AcquireRest rest) {
      Decision known = last.get(rest.key());
      long permits =
          subject.has(Feature.WEIGHTS)
              ? Math.max(1, (known == null ? limit : known.remaining()) + rest.extra())
              : 1;
      boolean oversize = permits > limit && !subject.has(Feature.OVERSIZE);
      request(new Step.Acquire(rest.key(), oversize ? limit : permits, false));
    } else if (step instanceof Step.Together together) {
      requestTogether(together.requests());
    } else if (step instanceof Step.Repeat repeat) {
      int first = line;
      for (int i = 0; i < repeat.times() && failure == null; i++) {
        line = first;
        for (Step inner : repeat.steps()) {
          if (failure == null) {
            take(inner);
          }
        }
      }
    } else {
      request(step);
    }
  }

  private void change(Step.Store store) {
    if (failures == null) {
      failures = subject.failures(fixture);
    }
    switch (store.change()) {
      case CUT -> failures.cut();
      case LOSE_REPLY -> failures.loseNextReply();
      case RESTORE -> failures.restore();
    }
    storeFails = store.change() != Step.Store.Change.RESTORE;
    events.add(event(store, now(), -1, null, null));
  }

  private long target(Step.AdvanceTo step) {
    long tick = subject.tick();
    long offset = step.offset().toNanos() / 1_000;
    if (step.moment() == Step.Moment.BORDER) {
      long between = Times.ceil(new Case<>(subject, policy).border(), tick);
      return (virtual.clock() / between + 1) * between + offset;
    }
    if (lastAcquire == null) {
      return virtual.clock();
    }
    Decision decision = lastAcquire.answer();
    long wait =
        Times.micros(
            step.moment() == Step.Moment.RETRY ? decision.retryAfter() : decision.resetAfter());
    // A wait without end, or one so long that only a broken limiter says so, is not waited for.
    return wait > 4 * Times.micros(policy.life())
        ? virtual.clock()
        : lastAcquire.clock() + Times.ceil(wait, tick) + offset;
  }

  private void stepped(Step step) {
    era++;
    events.add(event(step, now(), -1, null, null));
  }

  private void request(Step step) {
    int request = requests++;
    record(step, now(), -1, answer(step, request));
  }

  private void requestTogether(List<Step.Acquire> steps) {
    int group = groups++;
    long start = now();
    CountDownLatch ready = new CountDownLatch(steps.size());
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Answer>> answers = new ArrayList<>();
    for (Step.Acquire step : steps) {
      int request = requests++;
      answers.add(
          THREADS.submit(
              () -> {
                ready.countDown();
                go.await();
                return answer(step, request);
              }));
    }
    try {
      ready.await();
      go.countDown();
      for (int i = 0; i < steps.size(); i++) {
        Answer answer = answers.get(i).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (failure == null) {
          record(steps.get(i), start, group, answer);
        }
      }
      if (failure != null) {
        // A part of a group cannot be judged.
        events.removeIf(event -> event.group() == group);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while requests were under way", e);
    } catch (Exception e) {
      throw new AssertionError("no answer within " + ANSWER_SECONDS + " s", e);
    }
  }

  /** What came of a request. */
  private record Answer(@Nullable Decision decision, @Nullable Throwable thrown) {}

  private Answer answer(Step step, int request) {
    try {
      if (step instanceof Step.Acquire acquire) {
        Target target = target(acquire.key(), request);
        if (!acquire.async()) {
          return new Answer(target.limiter().tryAcquire(target.key(), acquire.permits()), null);
        }
        return new Answer(
            target
                .limiter()
                .tryAcquireAsync(target.key(), acquire.permits())
                .toCompletableFuture()
                .get(ANSWER_SECONDS, TimeUnit.SECONDS),
            null);
      }
      if (step instanceof Step.Peek peek) {
        Target target = target(peek.key(), request);
        return new Answer(target.limiter().peek(target.key(), peek.permits()), null);
      }
      Target target = target(((Step.Reset) step).key(), request);
      target.limiter().reset(target.key());
      return new Answer(null, null);
    } catch (ExecutionException e) {
      // Bad arguments are to be refused at once: the caller would not see this one yet.
      return new Answer(null, Event.isBad(step) ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer(null, e);
    } catch (Exception | AssertionError e) {
      return new Answer(null, e);
    }
  }

  @SuppressWarnings("NullAway") // null keys are bad arguments made on purpose
  private Target target(@Nullable String key, int request) {
    if (key == null || key.isEmpty()) {
      return new Target(limiter(request), key);
    }
    Target target = router.route(key, request);
    synchronized (used) {
      used.computeIfAbsent(target.limiter(), limiter -> new LinkedHashSet<>()).add(target.key());
    }
    return target;
  }

  private void record(Step step, long start, int group, Answer answer) {
    Event event = event(step, start, group, answer.decision(), answer.thrown());
    if (event.thrown() != null && !event.isBad() && !storeFails) {
      failure = event;
      return;
    }
    events.add(event);
    String key = event.key();
    if (event.isAcquire() && key != null) {
      lastAcquire = event;
      last.put(key, event.answer());
    } else if (step instanceof Step.Reset && key != null) {
      last.remove(key);
    }
  }

  private Event event(
      Step step, long start, int group, @Nullable Decision decision, @Nullable Throwable thrown) {
    return new Event(
        step,
        ++line,
        virtual.clock(),
        start,
        now(),
        virtual.jumped(),
        era,
        group,
        storeFails,
        keys,
        decision,
        thrown);
  }

  private long now() {
    return isVirtual ? virtual.elapsed() : (System.nanoTime() - startedNanos) / 1_000;
  }

  /** Leaves nothing behind on a store that outlives the run. */
  @Override
  public void close() {
    if (failures != null) {
      failures.restore();
    }
    if (subject.has(Feature.RESET)) {
      used.forEach(
          (limiter, keys) ->
              keys.forEach(
                  key -> {
                    try {
                      limiter.reset(key);
                    } catch (RuntimeException e) {
                      // Rule 2.8 judges reset; here it only tidies up.
                    }
                  }));
    }
    fixture.close();
  }
}
