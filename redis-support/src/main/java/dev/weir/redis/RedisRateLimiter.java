package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.internal.Bounds;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.api.RKeys;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysOptions;

/**
 * A limiter that keeps its state on a Redis server, where one script call decides: the limiters of
 * this library on Redis, and anyone's, differ in their script alone.
 *
 * <p><b>Sharing.</b> Limiters of one algorithm in one namespace of one server act as one, wherever
 * they run. The server's clock is the time, unless the options say otherwise.
 *
 * <p><b>Client.</b> The caller owns the {@link RedissonClient} and closes it; creating a limiter
 * asks nothing of the server. The client's settings decide over its speed: as many Netty threads as
 * cores and a pool of a few connections serve several times the calls of Redisson's defaults.
 *
 * <p><b>Blocking.</b> {@code tryAcquire}, {@code peek} and {@code reset} block until the answer is
 * there, for {@link RedisOptions#timeout()} at most; then they throw {@link
 * RateLimiterUnavailableException}. So they do when the thread is interrupted, which stays so.
 * {@code tryAcquireAsync} does not block, and its stage completes within the same time; what is
 * chained to it without an executor runs on a thread of Redisson or of the timeouts and must not
 * block.
 *
 * <p><b>Failures.</b> No call is ever sent twice, so a call without an answer has taken its permits
 * at most once. A caller whose time runs out before its call was sent has taken nothing. At most
 * {@link RedisOptions#maxWaiting()} callers wait at a time, one more fails at once. The cause of a
 * {@link RateLimiterUnavailableException} is a copy of what Redisson reported, without keys and
 * arguments.
 *
 * <p><b>Coalescing.</b> While two pipelines of this limiter are under way to a server, and the last
 * of them left less than 20 ms ago, later requests stand in line and then leave together: those for
 * one key as one call, which decides them in order, and the calls for several keys as one pipeline.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 */
public abstract class RedisRateLimiter implements RateLimiter {

  private static final ScheduledThreadPoolExecutor TIMEOUTS = timeouts();

  private final Policy policy;
  private final RedisOptions options;
  private final RedisKeys names;
  private final Sender sender;
  private final RKeys keys;
  private final ScriptCall call;
  private final Coalescer coalescer;
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Creates a limiter; the server is not asked.
   *
   * @param redisson the client, which stays the caller's
   * @param policy what to admit
   * @param options the namespace, the timeout and the like
   * @param tag a short name of the algorithm and its form of state, unique on the server
   * @param script decides; beside the time and the mode it gets {@code arguments}
   * @param arguments the policy in numbers, up to 2<sup>53</sup> each, in the script's order
   * @throws NullPointerException if an argument is null
   */
  protected RedisRateLimiter(
      RedissonClient redisson,
      Policy policy,
      RedisOptions options,
      String tag,
      RedisScript script,
      long... arguments) {
    Objects.requireNonNull(redisson, "redisson");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.options = Objects.requireNonNull(options, "options");
    this.names = new RedisKeys(tag, options.namespace());
    this.keys =
        redisson.getKeys(KeysOptions.defaults().retryAttempts(0).timeout(options.timeout()));
    this.sender = new Sender(redisson);
    this.call =
        new ScriptCall(
            redisson, sender, options.timeout(), script, policy.limit(), arguments.clone());
    this.coalescer = new Coalescer(call, System::nanoTime);
  }

  /**
   * Returns the microseconds of a duration, the unit of every time in a script.
   *
   * @param duration a window, a period or a life
   * @return its whole microseconds
   */
  protected static long micros(Duration duration) {
    return Micros.of(duration);
  }

  @Override
  public final Policy policy() {
    return policy;
  }

  @Override
  public final Decision tryAcquire(String key, long permits) {
    Request request = request(key, permits);
    return answer(request, () -> coalescer.submit(request));
  }

  @Override
  public final CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    Request request = request(key, permits);
    if (!enter()) {
      request.completeExceptionally(Unavailable.tooManyWaiting(options.maxWaiting()));
      return request;
    }
    ScheduledFuture<?> timeout =
        TIMEOUTS.schedule(
            () -> request.completeExceptionally(Unavailable.timedOut(options.timeout())),
            options.timeout().toNanos(),
            TimeUnit.NANOSECONDS);
    Future<?> unused =
        request.whenComplete(
            (decision, failure) -> {
              waiting.decrementAndGet();
              timeout.cancel(false);
            });
    coalescer.submit(request);
    return request;
  }

  @Override
  public final Decision peek(String key, long permits) {
    Request request = request(key, permits);
    Call alone = new Call(request.name, List.of(request));
    return answer(
        request,
        () -> {
          Future<?> unused =
              call.send(ScriptCall.PEEK, List.of(alone))
                  .get(0)
                  .whenComplete((reply, failure) -> call.settle(alone, reply, failure));
        });
  }

  @Override
  public final void reset(String key) {
    Bounds.checkKey(key);
    CompletableFuture<Long> unlinked = new CompletableFuture<>();
    answer(
        unlinked,
        () -> {
          Future<?> unused =
              sender
                  .send(List.of(unlinked), () -> keys.unlinkAsync(names.name(key)))
                  .whenComplete(
                      (count, failure) -> {
                        if (failure == null) {
                          unlinked.complete(count);
                        } else {
                          unlinked.completeExceptionally(
                              Unavailable.failed(failure, options.timeout()));
                        }
                      });
        });
  }

  private Request request(String key, long permits) {
    Bounds.checkRequest(key, permits);
    return new Request(
        names.name(key),
        options.clock().map(InstantSource::instant).map(Micros::of).map(String::valueOf).orElse(""),
        permits);
  }

  private boolean enter() {
    if (waiting.incrementAndGet() <= options.maxWaiting()) {
      return true;
    }
    waiting.decrementAndGet();
    return false;
  }

  /** Sends what completes the answer, and waits for it. */
  private <T> T answer(CompletableFuture<T> answer, Runnable send) {
    if (!enter()) {
      throw Unavailable.tooManyWaiting(options.maxWaiting());
    }
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      send.run();
      return answer.get(options.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw abandoned(answer, Unavailable.timedOut(options.timeout()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw abandoned(answer, Unavailable.interrupted(e));
    } catch (ExecutionException e) {
      // Made on a thread of Redisson and shared by a batch: this caller gets one with its own
      // stack.
      Throwable shared = Unavailable.unwrap(e);
      throw new RateLimiterUnavailableException(
          String.valueOf(shared.getMessage()), shared.getCause());
    } finally {
      waiting.decrementAndGet();
    }
  }

  private static RateLimiterUnavailableException abandoned(
      CompletableFuture<?> answer, RateLimiterUnavailableException reason) {
    answer.completeExceptionally(reason);
    return reason;
  }

  private static ScheduledThreadPoolExecutor timeouts() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1, Daemon.named("weir-redis-timeouts"));
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(1, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }
}
