package dev.weir.comparison;

import dev.weir.Quota;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;
import java.util.ArrayList;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;

/**
 * The limiters of others on the same client and server, and the floor. Bucket4j is touched in
 * {@link #of} alone, so no other command loads it.
 */
final class Peers {

  static final String EMPTY_SCRIPT = "empty script";

  private static final String REDIS = "redis";

  private Peers() {}

  /** The call of a script that does nothing, made as a limiter makes its own. */
  static Benchmark.Subject emptyScript(RedissonClient client, String namespace) {
    RScript script = client.getScript(StringCodec.INSTANCE);
    String digest = script.scriptLoad("return 1");
    return new Benchmark.Subject(
        EMPTY_SCRIPT,
        REDIS,
        true,
        key -> {
          String name = name("empty", namespace, key);
          Long one =
              script.evalSha(
                  name, RScript.Mode.READ_WRITE, digest, RScript.ReturnType.LONG, List.of(name));
          if (one != 1) {
            throw new IllegalStateException("the empty script returned " + one + ", must return 1");
          }
        });
  }

  static List<Benchmark.Subject> of(RedissonClient client, String namespace, Quota quota) {
    List<Benchmark.Subject> peers = new ArrayList<>();
    peers.add(redissonLimiter(client, namespace, quota));
    if (client instanceof Redisson itself) { // Bucket4j wants its command executor
      peers.add(bucket4j(itself, namespace, quota));
    }
    return peers;
  }

  private static Benchmark.Subject redissonLimiter(
      RedissonClient client, String namespace, Quota quota) {
    return new Benchmark.Subject(
        "Redisson RRateLimiter",
        REDIS,
        true,
        key -> {
          RRateLimiter limiter = client.getRateLimiter(name("rrl", namespace, key));
          boolean ready = false;
          while (!ready) {
            try {
              limiter.tryAcquire();
              ready = true;
            } catch (RedisException e) {
              if (!String.valueOf(e.getMessage()).contains("not initialized")) {
                throw e;
              }
              limiter.trySetRate(RateType.OVERALL, quota.limit(), quota.window());
            }
          }
        });
  }

  private static Benchmark.Subject bucket4j(Redisson client, String namespace, Quota quota) {
    ProxyManager<String> buckets =
        Bucket4jRedisson.casBasedBuilder(client.getCommandExecutor()).build();
    BucketConfiguration configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit ->
                    limit
                        .capacity(quota.burst().orElse(quota.limit()))
                        .refillGreedy(quota.limit(), quota.window()))
            .build();
    return new Benchmark.Subject(
        "Bucket4j",
        REDIS,
        true,
        key ->
            buckets
                .builder()
                .build(name("b4j", namespace, key), () -> configuration)
                .tryConsume(1));
  }

  private static String name(String peer, String namespace, String key) {
    return peer + ":" + namespace + ":" + key;
  }
}
