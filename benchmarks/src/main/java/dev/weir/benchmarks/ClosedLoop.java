package dev.weir.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Callers that each ask again as soon as they have their answer, for keys at random: how much they
 * get done. Each is a thread that blocks, or a chain of calls that do not.
 *
 * @param callers how many
 * @param async whether they are chains
 */
record ClosedLoop(List<String> keys, int callers, boolean async) {

  /** Returns a loop over so many keys. */
  static ClosedLoop over(int keys, int callers, boolean async) {
    return new ClosedLoop(
        IntStream.range(0, keys).mapToObj(i -> "key" + i).toList(), callers, async);
  }

  /** Returns the decisions a second, over all callers. */
  double rate(RedisSubject subject, Duration duration)
      throws ExecutionException, InterruptedException {
    long start = System.nanoTime();
    long end = start + duration.toNanos();
    long decisions = async ? chains(subject, end) : threads(subject, end);
    return decisions / ((System.nanoTime() - start) / 1e9);
  }

  private long threads(RedisSubject subject, long end)
      throws ExecutionException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        SplittableRandom random = new SplittableRandom(i);
        counts.add(
            executor.submit(
                () -> {
                  long count = 0;
                  do {
                    subject.blocking().accept(keys.get(random.nextInt(keys.size())));
                    count++;
                  } while (System.nanoTime() - end < 0);
                  return count;
                }));
      }
      long decisions = 0;
      for (Future<Long> count : counts) {
        decisions += count.get();
      }
      return decisions;
    } finally {
      executor.shutdownNow();
    }
  }

  private long chains(RedisSubject subject, long end)
      throws ExecutionException, InterruptedException {
    List<Chain> chains = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      chains.add(new Chain(subject, end, new SplittableRandom(i)));
    }
    chains.forEach(Chain::run);
    long decisions = 0;
    for (Chain chain : chains) {
      decisions += chain.count.get();
    }
    return decisions;
  }

  /** One caller who does not block. */
  private final class Chain implements Runnable {

    final CompletableFuture<Long> count = new CompletableFuture<>();

    private final RedisSubject subject;
    private final long end;
    private final SplittableRandom random;
    private long decisions;

    Chain(RedisSubject subject, long end, SplittableRandom random) {
      this.subject = subject;
      this.end = end;
      this.random = random;
    }

    @Override
    public void run() {
      // What is answered at once is a turn of this loop: as a call in a call it would be deep.
      while (System.nanoTime() - end < 0) {
        CompletableFuture<?> answer =
            subject.async().apply(keys.get(random.nextInt(keys.size()))).toCompletableFuture();
        if (!answer.isDone()) {
          answer.whenComplete(
              (decision, failure) -> {
                if (failure == null) {
                  decisions++;
                  run();
                } else {
                  count.completeExceptionally(failure);
                }
              });
          return;
        }
        answer.join();
        decisions++;
      }
      count.complete(decisions);
    }
  }
}
