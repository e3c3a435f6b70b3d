package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Orders of two threads that chance seldom makes, made on purpose: one thread is held at a monitor
 * while the other goes on. They concern what the algorithms share, so one of them stands for all.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterleavingsTest {

  private static final long LIMIT = 3;
  private static final Duration WINDOW = Duration.ofSeconds(1);

  private final VirtualClock clock = VirtualClock.atMidnight();
  private final InMemoryStore store = InMemoryStore.create();
  private final InMemoryOptions options =
      InMemoryOptions.defaults().withStore(store).withClock(clock);

  @Test
  void aRequestWhoseStateIsReleasedBeforeItsTurnIsNotForgotten() throws Exception {
    InMemoryFixedWindow limiter = create(options);
    limiter.tryAcquire("key");
    clock.advance(WINDOW.multipliedBy(2));
    FutureTask<Decision> late = new FutureTask<>(() -> limiter.tryAcquire("key"));

    synchronized (stateOf("key")) {
      startUntilItWaits(late);
      assertThat(limiter.releaseIdleKeys()).isEqualTo(1);
    }

    assertThat(late.get().remaining()).isEqualTo(LIMIT - 1);
    assertThat(limiter.keys()).isEqualTo(1);
    assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(LIMIT - 2);
  }

  @Test
  void aRequestIsNotDecidedAtATimeBeforeThatOfTheOneThatWentFirst() throws Exception {
    InMemoryFixedWindow limiter = create(options);
    limiter.tryAcquire("key");
    FutureTask<Decision> late = new FutureTask<>(() -> limiter.tryAcquire("key"));

    synchronized (stateOf("key")) {
      startUntilItWaits(late);
      clock.advance(WINDOW);
      limiter.tryAcquire("key");
    }

    assertThat(late.get().remaining()).isEqualTo(LIMIT - 2);
    assertThat(late.get().resetAfter()).isEqualTo(WINDOW);
  }

  @Test
  void aRequestThatWaitsWhileTheClockStepsBackIsNotDecidedAtTheTimeBefore() throws Exception {
    InMemoryFixedWindow limiter = create(options);
    limiter.tryAcquire("key", LIMIT);
    FutureTask<Decision> late = new FutureTask<>(() -> limiter.tryAcquire("key"));

    synchronized (stateOf("key")) {
      startUntilItWaits(late);
      clock.move(-10_000_000);
      assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    assertThat(late.get().allowed()).isFalse();
  }

  @Test
  void aSweepThatWaitsWhileTheClockStepsBackDoesNotForgetByTheTimeBefore() throws Exception {
    InMemoryFixedWindow limiter = create(options);
    limiter.tryAcquire("key", LIMIT);
    FutureTask<Long> sweep = new FutureTask<>(limiter::releaseIdleKeys);

    synchronized (stateOf("key")) {
      startUntilItWaits(sweep);
      clock.move(-10_000_000);
      assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    assertThat(sweep.get()).isZero();
    assertThat(limiter.tryAcquire("key").allowed()).isFalse();
  }

  @Test
  void aNewKeyThatWaitsForWhatItSharedWhileTheClockStepsBackIsChargedForIt() throws Exception {
    InMemoryFixedWindow limiter =
        create(options.withMaxKeys(1).withOverflowListener((algorithm, namespace, maxKeys) -> {}));
    limiter.tryAcquire("another");
    limiter.tryAcquire("key", LIMIT);
    limiter.reset("another");
    limiter.releaseIdleKeys();
    FutureTask<Decision> late = new FutureTask<>(() -> limiter.tryAcquire("key"));

    synchronized (table().overflow) {
      startUntilItWaits(late);
      clock.move(-10_000_000);
      table().overflow.last = clock.micros(); // as a request that shares it then does
    }

    assertThat(late.get().allowed()).isFalse();
  }

  @Test
  void aRequestOnTheDefaultClockIsNotDecidedAtATimeBeforeThatOfTheOneThatWentFirst()
      throws Exception {
    InMemoryFixedWindow limiter =
        InMemoryFixedWindow.create(
            FixedWindowPolicy.of(LIMIT, Duration.ofDays(366)),
            InMemoryOptions.defaults().withStore(store));
    limiter.tryAcquire("key");
    FutureTask<Decision> late = new FutureTask<>(() -> limiter.tryAcquire("key"));
    Decision first;

    synchronized (stateOf("key")) {
      startUntilItWaits(late);
      first = limiter.tryAcquire("key");
    }

    assertThat(late.get().resetAfter()).isLessThanOrEqualTo(first.resetAfter());
  }

  @Test
  void aRequestLeavesTheSweepToTheThreadThatHasBegunIt() throws Exception {
    InMemoryFixedWindow limiter = create(options);
    limiter.tryAcquire("idle");
    clock.advance(WINDOW.multipliedBy(2));
    FutureTask<Long> sweep = new FutureTask<>(limiter::releaseIdleKeys);

    synchronized (stateOf("idle")) {
      startUntilItWaits(sweep);
      limiter.tryAcquire("busy");
      assertThat(limiter.keys()).isEqualTo(2);
    }

    assertThat(sweep.get()).isEqualTo(1);
    assertThat(limiter.keys()).isEqualTo(1);
    assertThat(limiter.releaseIdleKeys()).isZero(); // the other thread has given the sweep back
  }

  @Test
  void aKeyThatFindsRoomWhileItStillSharesIsChargedForWhatItShares() throws Exception {
    RoomAtTheLastMoment sharing = new RoomAtTheLastMoment();
    sharing.limiter.tryAcquire("another");
    sharing.armed = true;

    assertThat(sharing.limiter.tryAcquire("key").allowed()).isTrue();

    assertThat(sharing.all.get().allowed()).isFalse();
    assertThat(sharing.limiter.peek("key", LIMIT - 1).allowed()).isTrue();
  }

  /** Where the first request that shares reads the time, another for its key finds room. */
  private final class RoomAtTheLastMoment {
    private final InMemoryFixedWindow limiter;
    private final FutureTask<Decision> all;
    private boolean armed;

    RoomAtTheLastMoment() {
      limiter =
          create(
              options
                  .withMaxKeys(1)
                  .withOverflowListener((algorithm, namespace, maxKeys) -> {})
                  .withClock(
                      () -> {
                        if (armed) {
                          armed = false;
                          limiter().reset("another");
                          limiter().releaseIdleKeys();
                          startUntilItWaits(all());
                        }
                        return clock.instant();
                      }));
      all = new FutureTask<>(() -> limiter.tryAcquire("key", LIMIT));
    }

    private InMemoryFixedWindow limiter() {
      return limiter;
    }

    private FutureTask<Decision> all() {
      return all;
    }
  }

  private static InMemoryFixedWindow create(InMemoryOptions options) {
    return InMemoryFixedWindow.create(FixedWindowPolicy.of(LIMIT, WINDOW), options);
  }

  private Object stateOf(String key) {
    return table().get(key);
  }

  private KeyTable<InMemoryFixedWindow.Window> table() {
    return store.table("fixed-window", "default", InMemoryFixedWindow.Window::new);
  }

  /** Starts a thread and returns once it waits for a monitor, or is done. */
  private static void startUntilItWaits(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.BLOCKED
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }
}
