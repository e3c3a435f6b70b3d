package dev.weir.comparison;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A lane on Redis. Calls for different keys are in flight together; a key has one call at a time,
 * so its decisions come in order and none is coalesced with another, unless crowds are expected:
 * many clients that ask for the same at the same instant.
 *
 * <p>Commands are counted by the server, for all its clients. So the count is taken around the
 * decisions alone, and stands still while waits are judged.
 */
final class RedisLane extends Lane {

  private static final int IN_FLIGHT = 128;

  private final RedisProbe probe;
  private final String namespace;
  private final boolean crowds;
  private final int[] order = new int[Batch.SIZE];
  private final int[] waves = new int[Batch.SIZE];
  private final int[] waveEnds = new int[Batch.SIZE + 1];
  private int[] nextWave = new int[64]; // by key
  private final @Nullable CompletableFuture<Decision>[] calls = newCalls();
  private long decisionsCounted;
  private long commands;

  RedisLane(
      String algorithm,
      String store,
      RateLimiter limiter,
      VirtualClock clock,
      long limit,
      long window,
      RedisProbe probe,
      String namespace,
      boolean crowds) {
    super(algorithm, store, limiter, clock, limit, window);
    this.probe = probe;
    this.namespace = namespace;
    this.crowds = crowds;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  private static @Nullable CompletableFuture<Decision>[] newCalls() {
    return new CompletableFuture[IN_FLIGHT];
  }

  @Override
  void decideAll(Batch batch) {
    if (crowds) {
      decideCrowds(batch);
    } else {
      decideWaves(batch);
    }
  }

  private void decideWaves(Batch batch) {
    int waveCount = sortIntoWaves(batch);
    long before = probe.commandCalls();
    for (int wave = 0, start = 0; wave < waveCount; start = waveEnds[wave++]) {
      int end = waveEnds[wave];
      for (int from = start; from < end; from += IN_FLIGHT) {
        decideTogether(batch, from, Math.min(end, from + IN_FLIGHT));
      }
      if (anyDenied(start, end)) {
        commands += probe.commandCalls() - before;
        for (int i = start; i < end; i++) {
          if (!decisions.get(order[i]).allowed()) {
            judge(batch, order[i]);
          }
        }
        before = probe.commandCalls();
      }
    }
    commands += probe.commandCalls() - before;
    decisionsCounted += batch.size;
  }

  /**
   * Decides a batch of one instant. Requests that do not differ go out together, and the limiter
   * coalesces them: their decisions are those of one after the other, in some order, so they are
   * put into the order in which the first come first. Their commands are fewer, and not counted.
   */
  private void decideCrowds(Batch batch) {
    long[] byKey = new long[batch.size];
    for (int i = 0; i < batch.size; i++) {
      byKey[i] = (long) batch.keys[i] * Batch.SIZE + i;
    }
    Arrays.sort(byKey);
    for (int i = 0; i < batch.size; i++) {
      order[i] = (int) (byKey[i] % Batch.SIZE);
    }
    int start = 0;
    while (start < batch.size) {
      int end = start + 1;
      while (end < batch.size && batch.isAlike(order[start], order[end])) {
        end++;
      }
      decideCrowd(batch, start, end);
      start = end;
    }
  }

  private void decideCrowd(Batch batch, int start, int end) {
    long before = end - start == 1 ? probe.commandCalls() : 0;
    Decision[] crowd = new Decision[end - start];
    for (int from = start; from < end; from += IN_FLIGHT) {
      int to = Math.min(end, from + IN_FLIGHT);
      decideTogether(batch, from, to);
      for (int i = from; i < to; i++) {
        crowd[i - start] = decisions.get(order[i]);
      }
    }
    if (crowd.length == 1) {
      commands += probe.commandCalls() - before;
      decisionsCounted++;
    }
    Arrays.sort(
        crowd,
        Comparator.comparing(Decision::allowed).thenComparingLong(Decision::remaining).reversed());
    int denied = 0;
    for (int i = 0; i < crowd.length; i++) {
      decisions.set(order[start + i], crowd[i]);
      denied += crowd[i].allowed() ? 0 : 1;
    }
    if (denied > 0) {
      judge(batch, order[end - 1], denied);
    }
  }

  /** A wave holds at most one event of a key: its first in the batch, its second, and so on. */
  private int sortIntoWaves(Batch batch) {
    int waveCount = 0;
    Arrays.fill(waveEnds, 0);
    for (int i = 0; i < batch.size; i++) {
      int key = batch.keys[i];
      if (key >= nextWave.length) {
        nextWave = Arrays.copyOf(nextWave, Math.max(key + 1, 2 * nextWave.length));
      }
      waves[i] = nextWave[key]++;
      waveCount = Math.max(waveCount, waves[i] + 1);
      waveEnds[waves[i] + 1]++;
    }
    for (int i = 0; i < batch.size; i++) {
      nextWave[batch.keys[i]] = 0;
    }
    for (int wave = 0; wave < waveCount; wave++) {
      waveEnds[wave + 1] += waveEnds[wave];
    }
    for (int i = 0; i < batch.size; i++) {
      order[waveEnds[waves[i]]++] = i; // from the starts of the waves to their ends
    }
    return waveCount;
  }

  private void decideTogether(Batch batch, int from, int to) {
    for (int i = from; i < to; i++) {
      int event = order[i];
      clock.set(batch.clocks[event]);
      calls[i - from] =
          limiter.tryAcquireAsync(batch.names[event], batch.permits[event]).toCompletableFuture();
    }
    for (int i = from; i < to; i++) {
      CompletableFuture<Decision> call = calls[i - from];
      if (call != null) {
        decisions.set(order[i], join(call));
      }
    }
  }

  private static Decision join(CompletableFuture<Decision> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RateLimiterUnavailableException unavailable) {
        throw unavailable;
      }
      throw e;
    }
  }

  private boolean anyDenied(int start, int end) {
    for (int i = start; i < end; i++) {
      if (!decisions.get(order[i]).allowed()) {
        return true;
      }
    }
    return false;
  }

  @Override
  Result result(Trace trace, Result.@Nullable Persistence persistence) {
    return result(
        trace,
        persistence,
        probe.stateBytes(namespace),
        decisionsCounted == 0
            ? null
            : (Double) (Math.round(1_000.0 * commands / decisionsCounted) / 1_000.0));
  }

  @Override
  void close() {
    probe.deleteKeys(namespace);
  }
}
