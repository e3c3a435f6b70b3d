package dev.weir.redis;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.connection.ConnectionManager;

/**
 * Sends calls on behalf of those who wait for them, and neither blocks nor throws.
 *
 * <p>A client that connects lazily blocks whoever makes it connect, for seconds where there is no
 * server. Until it has answered once, calls to it go out on a thread of the sender's own.
 */
final class Sender {

  private static final String THE_ONLY_ONE = "";

  private final ThreadPoolExecutor connecting =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Daemon.named("weir-redis-connect"));

  private volatile boolean connected;

  private final boolean cluster;
  private final @Nullable ConnectionManager nodes;

  Sender(RedissonClient redisson) {
    this.connected = !redisson.getConfig().isLazyInitialization();
    this.cluster = redisson.getConfig().isClusterConfig();
    this.nodes =
        redisson instanceof Redisson itself
            ? itself.getCommandExecutor().getConnectionManager()
            : null;
    connecting.allowCoreThreadTimeOut(true);
  }

  /**
   * Returns the server that a key's calls go to, or what stands for it: outside of a cluster there
   * is only one, and where it is not known every key counts as a server of its own.
   */
  Object server(String name) {
    if (!cluster) {
      return THE_ONLY_ONE;
    }
    // A client that has not connected yet would do so to tell.
    Object node = nodes == null || !connected ? null : nodes.getEntry(name);
    return node == null ? name : node;
  }

  /**
   * Sends a call.
   *
   * @param waiting those who wait for its reply; once none does any more, it is not sent if it has
   *     not been yet
   * @param call makes Redisson send
   * @return the reply, or the failure, which may be wrapped in a CompletionException
   */
  <T> CompletableFuture<T> send(
      List<? extends CompletableFuture<?>> waiting, Supplier<? extends CompletionStage<T>> call) {
    if (connected) {
      return attempt(waiting, call);
    }
    CompletableFuture<T> reply =
        CompletableFuture.<@Nullable Void>completedFuture(null)
            .thenComposeAsync(nothing -> attempt(waiting, call), connecting);
    Future<?> unused = reply.thenRun(() -> connected = true);
    return reply;
  }

  private static <T> CompletableFuture<T> attempt(
      List<? extends CompletableFuture<?>> waiting, Supplier<? extends CompletionStage<T>> call) {
    if (isAbandoned(waiting)) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    CompletableFuture<T> reply;
    try {
      reply = call.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    onceAbandoned(waiting, () -> reply.cancel(false));
    return reply;
  }

  /** Does something once the last of those who wait has given up, and if nobody waits at once. */
  static void onceAbandoned(List<? extends CompletableFuture<?>> waiting, Runnable action) {
    // Mostly the last one came last and gives up last.
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (!waiting.get(i).isDone()) {
        Future<?> unused =
            waiting
                .get(i)
                .whenComplete(
                    (answer, failure) -> {
                      if (failure != null) {
                        onceAbandoned(waiting, action);
                      }
                    });
        return;
      }
    }
    action.run();
  }

  private static boolean isAbandoned(List<? extends CompletableFuture<?>> waiting) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (!waiting.get(i).isDone()) {
        return false;
      }
    }
    return true;
  }
}
