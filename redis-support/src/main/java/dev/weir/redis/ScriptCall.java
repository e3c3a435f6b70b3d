package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;

/** The call of a limiter's script: requests for one key go out, their decisions come back. */
final class ScriptCall {

  static final String ACQUIRE = "acquire";
  static final String PEEK = "peek";

  private static final int INTEGERS_PER_DECISION = 4;

  private final RedissonClient redisson;
  private final Sender sender;
  private final Duration timeout;
  private final BatchOptions pipelining;
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
    this.redisson = redisson;
    this.sender = sender;
    this.timeout = timeout;
    // Without a retry, for a resent call would be charged twice; the default codec garbles ARGV.
    this.redis =
        redisson.getScript(
            OptionalOptions.defaults()
                .codec(StringCodec.INSTANCE)
                .retryAttempts(0)
                .timeout(timeout));
    this.pipelining =
        BatchOptions.defaults()
            .executionMode(BatchOptions.ExecutionMode.IN_MEMORY)
            .retryAttempts(0)
            .responseTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    this.script = script;
    this.limit = limit;
    this.policy = policy;
  }

  /** Returns the server that decides on a key. */
  Object server(String name) {
    return sender.server(name);
  }

  /**
   * Sends calls for one server, several as one pipeline.
   *
   * @return the script's reply to each call, for {@link #settle}
   */
  List<CompletableFuture<List<Long>>> send(String mode, List<Call> calls) {
    List<CompletableFuture<List<Long>>> replies =
        calls.size() == 1
            ? List.of(
                sender.send(calls.get(0).requests(), () -> evalSha(redis, mode, calls.get(0))))
            : pipeline(mode, calls);
    List<CompletableFuture<List<Long>>> decided = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      decided.add(
          replies
              .get(i)
              .exceptionallyCompose(
                  failure ->
                      Unavailable.unwrap(failure) instanceof RedisNoScriptException
                          ? sender.send(call.requests(), () -> eval(mode, call))
                          : CompletableFuture.failedFuture(failure)));
    }
    return decided;
  }

  private List<CompletableFuture<List<Long>>> pipeline(String mode, List<Call> calls) {
    List<CompletableFuture<List<Long>>> replies = new ArrayList<>(calls.size());
    List<Request> everybody = new ArrayList<>();
    for (Call call : calls) {
      replies.add(new CompletableFuture<>());
      everybody.addAll(call.requests());
    }
    Future<?> unused =
        sender
            .send(
                everybody,
                () -> {
                  RBatch batch = redisson.createBatch(pipelining);
                  RScriptAsync script = batch.getScript(StringCodec.INSTANCE);
                  for (int i = 0; i < calls.size(); i++) {
                    Call call = calls.get(i);
                    CompletableFuture<List<Long>> command =
                        evalSha(script, mode, call).toCompletableFuture();
                    pass(skippable(command, call), replies.get(i));
                  }
                  return batch.executeAsync();
                })
            .whenComplete(
                (all, failure) -> {
                  // Redisson ends a pipeline without an end for a call that it would send again.
                  Throwable reason = failure != null ? failure : new RedisException("no reply");
                  replies.forEach(reply -> reply.completeExceptionally(reason));
                });
    return replies;
  }

  /**
   * Returns the reply to a command of a pipeline, and keeps Redisson from sending the command when
   * nobody waits for it, and from sending it again when it failed: for when one is redirected,
   * Redisson sends all again that have no value. A cancellation would not do, after that a pipeline
   * has no end.
   */
  private static CompletableFuture<List<Long>> skippable(
      CompletableFuture<List<Long>> command, Call call) {
    Sender.onceAbandoned(call.requests(), () -> command.complete(List.of()));
    return command.whenComplete(
        (reply, failure) -> {
          if (failure != null) {
            command.obtrudeValue(List.of());
          }
        });
  }

  private static <T> void pass(CompletionStage<T> from, CompletableFuture<T> to) {
    from.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            to.complete(result);
          } else {
            to.completeExceptionally(failure);
          }
        });
  }

  // Always as a write, also a peek: a replica may not know the newest decisions.
  private CompletionStage<List<Long>> evalSha(RScriptAsync redis, String mode, Call call) {
    return redis.evalShaAsync(
        call.name(),
        Mode.READ_WRITE,
        script.digest(),
        ReturnType.LIST,
        List.of(call.name()),
        arguments(mode, call.requests()));
  }

  private CompletionStage<List<Long>> eval(String mode, Call call) {
    return redis.evalAsync(
        call.name(),
        Mode.READ_WRITE,
        script.text(),
        ReturnType.LIST,
        List.of(call.name()),
        arguments(mode, call.requests()));
  }

  /** Gives each request of a batch its decision, or the failure. */
  void settle(Call call, @Nullable List<Long> reply, @Nullable Throwable failure) {
    List<Request> batch = call.requests();
    if (reply == null || reply.size() != batch.size() * INTEGERS_PER_DECISION) {
      RuntimeException unavailable =
          failure != null
              ? Unavailable.failed(failure, timeout)
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
