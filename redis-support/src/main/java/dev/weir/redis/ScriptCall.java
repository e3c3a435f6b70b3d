package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;

/** The call of a limiter's script: requests for one key go out, their decisions come back. */
final class ScriptCall {

  static final String ACQUIRE = "acquire";
  static final String PEEK = "peek";

  private static final int INTEGERS_PER_DECISION = 4;

  private final Sender sender;
  private final RScript redis;
  private final RedisScript script;
  private final long limit;
  private final long[] policy;

  ScriptCall(
      RedissonClient redisson,
      Sender sender,
      Duration timeout,
      RedisScript script,
      long limit,
      long[] policy) {
    this.sender = sender;
    // Without a retry, for a resent call would be charged twice; the default codec garbles ARGV.
    this.redis =
        redisson.getScript(
            OptionalOptions.defaults()
                .codec(StringCodec.INSTANCE)
                .retryAttempts(0)
                .timeout(timeout));
    this.script = script;
    this.limit = limit;
    this.policy = policy;
  }

  /**
   * Sends a batch of requests that carry the same time, to be decided in order.
   *
   * @return the script's reply, for {@link #settle}
   */
  CompletableFuture<List<Long>> send(String mode, String name, List<Request> batch) {
    List<Object> keys = List.of(name);
    Object[] arguments = arguments(mode, batch);
    // Always as a write, also a peek: a replica may not know the newest decisions.
    return sender
        .<List<Long>>send(
            batch,
            () ->
                redis.evalShaAsync(
                    name, Mode.READ_WRITE, script.digest(), ReturnType.LIST, keys, arguments))
        .exceptionallyCompose(
            failure ->
                Unavailable.unwrap(failure) instanceof RedisNoScriptException
                    ? sender.send(
                        batch,
                        () ->
                            redis.evalAsync(
                                name,
                                Mode.READ_WRITE,
                                script.text(),
                                ReturnType.LIST,
                                keys,
                                arguments))
                    : CompletableFuture.failedFuture(failure));
  }

  /** Gives each request of a batch its decision, or the failure. */
  void settle(List<Request> batch, @Nullable List<Long> reply, @Nullable Throwable failure) {
    if (reply == null || reply.size() != batch.size() * INTEGERS_PER_DECISION) {
      RuntimeException unavailable =
          failure != null
              ? Unavailable.failed(failure)
              : Unavailable.unreadable("a reply of the wrong length");
      batch.forEach(request -> request.completeExceptionally(unavailable));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      int at = i * INTEGERS_PER_DECISION;
      try {
        batch.get(i).complete(decision(reply.subList(at, at + INTEGERS_PER_DECISION)));
      } catch (IllegalArgumentException e) {
        batch
            .get(i)
            .completeExceptionally(Unavailable.unreadable("no decision: " + e.getMessage()));
      }
    }
  }

  private Decision decision(List<Long> integers) {
    long retryMicros = integers.get(2);
    return new Decision(
        integers.get(0) == 1,
        limit,
        integers.get(1),
        retryMicros < 0 ? Decision.NEVER : Micros.toDuration(retryMicros),
        Micros.toDuration(integers.get(3)));
  }

  private Object[] arguments(String mode, List<Request> batch) {
    Object[] arguments = new Object[2 + policy.length + batch.size()];
    arguments[0] = batch.get(0).now;
    arguments[1] = mode;
    int i = 2;
    for (long number : policy) {
      arguments[i++] = number;
    }
    for (Request request : batch) {
      arguments[i++] = request.permits;
    }
    return arguments;
  }
}
