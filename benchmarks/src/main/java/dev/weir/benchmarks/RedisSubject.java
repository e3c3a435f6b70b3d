package dev.weir.benchmarks;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * What is measured on Redis: a limiter of ours or of others, or the floor, by the call that blocks
 * and by the one that does not. All work through one client.
 *
 * @param prepare makes keys known, outside of what is measured
 */
record RedisSubject(
    String name,
    Consumer<List<String>> prepare,
    Consumer<String> blocking,
    Function<String, CompletionStage<?>> async) {

  static final String FLOOR = "empty script";
  static final String REDISSON = "Redisson RRateLimiter";
  static final String BUCKET4J = "Bucket4j on Redisson";

  static final List<String> ALGORITHMS =
      List.of("fixed-window", "sliding-window", "sliding-window-counter", "token-bucket");

  /** A limiter of this library. */
  static RedisSubject weir(
      RedissonClient redisson, String namespace, String algorithm, Quota quota) {
    return of(
        algorithm,
        RateLimiters.create(
            "redis",
            algorithm,
            quota,
            ProviderContext.of(namespace).with(RedissonClient.class, redisson)));
  }

  static RedisSubject of(String name, RateLimiter limiter) {
    return new RedisSubject(name, keys -> {}, limiter::tryAcquire, limiter::tryAcquireAsync);
  }

  /** The call of a script that does nothing, made as a limiter makes its own. */
  static RedisSubject floor(RedissonClient redisson, String namespace) {
    RScript script = redisson.getScript(StringCodec.INSTANCE);
    String digest = script.scriptLoad("return 1");
    Function<String, CompletionStage<?>> call =
        key -> {
          String name = namespace + ":empty:" + key;
          return script.evalShaAsync(
              name, RScript.Mode.READ_WRITE, digest, RScript.ReturnType.LONG, List.of(name));
        };
    return new RedisSubject(
        FLOOR, keys -> {}, key -> call.apply(key).toCompletableFuture().join(), call);
  }

  /** Redisson's limiter. */
  static RedisSubject redisson(RedissonClient redisson, String namespace, Quota quota) {
    ConcurrentHashMap<String, RRateLimiter> limiters = new ConcurrentHashMap<>();
    return new RedisSubject(
        REDISSON,
        keys ->
            keys.forEach(
                key -> {
                  RRateLimiter limiter = redisson.getRateLimiter(namespace + ":rrl:" + key);
                  limiter.trySetRate(RateType.OVERALL, quota.limit(), quota.window());
                  limiters.put(key, limiter);
                }),
        key -> limiters.get(key).tryAcquire(),
        key -> limiters.get(key).tryAcquireAsync());
  }

  /** Bucket4j's bucket by compare-and-swap, the way in which it works on Redisson. */
  static RedisSubject bucket4j(RedissonClient redisson, String namespace, Quota quota) {
    ProxyManager<String> buckets =
        Bucket4jRedisson.casBasedBuilder(((Redisson) redisson).getCommandExecutor()).build();
    AsyncProxyManager<String> async = buckets.asAsync();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit -> limit.capacity(quota.limit()).refillGreedy(quota.limit(), quota.window()))
            .build();
    CompletableFuture<BucketConfiguration> asked = CompletableFuture.completedFuture(configuration);
    Function<String, String> name = key -> namespace + ":b4j:" + key;
    return new RedisSubject(
        BUCKET4J,
        keys -> {},
        key -> buckets.builder().build(name.apply(key), () -> configuration).tryConsume(1),
        key -> async.builder().build(name.apply(key), () -> asked).tryConsume(1));
  }
}
