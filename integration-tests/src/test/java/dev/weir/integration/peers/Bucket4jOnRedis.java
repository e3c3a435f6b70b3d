package dev.weir.integration.peers;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Supports;
import dev.weir.conformance.TokenBucketConformance;
import dev.weir.redis.testing.TestRedis;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.redisson.Bucket4jRedisson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.Redisson;

/** Bucket4j on Redis, through Redisson. */
@Supports(
    also = Feature.SHARED_STATE,
    except = {Feature.PEEK, Feature.CLOCK_STEPS, Feature.NAMESPACES})
class Bucket4jOnRedis extends TokenBucketConformance {

  static final Peer PEER =
      new Peer(
          "Bucket4j on Redis",
          Bucket4jRedisson.class,
          "The same token bucket, whose state is read, changed by the client and swapped by a script"
              + " if nobody else changed it meanwhile.",
          "`Bucket4jRedisson.casBasedBuilder` with the suite's clock as the client's, and an expiry of"
              + " the time to refill plus ten minutes; the rest as above. The keys of all runs have a"
              + " prefix of their own.",
          List.of(
              new Peer.Part(Bucket4jOnRedis.class),
              new Peer.Part(Peek.class, Rule.PEEK_AND_RESET),
              new Peer.Part(Large.class, Rule.TOKEN_BUCKET_MODEL)),
          40,
          Map.of(
              Feature.CLOCK_STEPS, Bucket4jLocal.NOT_OFFERED.get(Feature.CLOCK_STEPS),
              Feature.NAMESPACES, Bucket4jLocal.NOT_OFFERED.get(Feature.NAMESPACES),
              Feature.FAILURES, Bucket4jLocal.NOT_OFFERED.get(Feature.FAILURES),
              Feature.BOUNDED_STATE,
                  "buckets expire as configured, by the clock of the server, which the suite cannot"
                      + " move"),
          Map.of(),
          Map.of(
              Rule.ANY_KEY,
              "Only with strings that are no valid text: an unpaired surrogate has no UTF-8"
                  + " form and is sent as `?`. Keys of valid text are not concerned.",
              Rule.TOKEN_BUCKET_MODEL,
              Bucket4jLocal.LARGE_NUMBERS),
          List.of());

  @Override
  protected List<TokenBucketPolicy> policies() {
    return Bucket4jLocal.policies(super.policies());
  }

  /** A bucket that exists keeps its limits until its configuration is replaced. */
  @Override
  protected Optional<TokenBucketPolicy> withLimit(TokenBucketPolicy policy, long limit) {
    return Optional.empty();
  }

  @Override
  protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
    Redisson redisson = (Redisson) TestRedis.redisson();
    ProxyManager<String> buckets =
        Bucket4jRedisson.casBasedBuilder(redisson.getCommandExecutor())
            .clientClock(Bucket4jLimiter.meter(fixture.clock()))
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofMinutes(10)))
            .build();
    BucketConfiguration configuration =
        BucketConfiguration.builder().addLimit(Bucket4jLimiter.bandwidth(policy)).build();
    Set<String> used = ConcurrentHashMap.newKeySet();
    fixture.onClose(() -> redisson.getKeys().delete(used.toArray(String[]::new)));
    return new Bucket4jLimiter(
        policy,
        key -> {
          String name = fixture.namespace() + ":" + key;
          used.add(name);
          return buckets.builder().build(name, () -> configuration);
        });
  }

  /** An estimate tells no wait until the bucket is full, so it is compared without. */
  @Supports(
      also = Feature.SHARED_STATE,
      except = {
        Feature.RESET_AFTER,
        Feature.EXACT_RESET_AFTER,
        Feature.CLOCK_STEPS,
        Feature.NAMESPACES
      })
  static final class Peek extends Bucket4jOnRedis {}

  /** Where tokens times nanoseconds need more than 64 bits. */
  @Supports(
      also = Feature.SHARED_STATE,
      except = {Feature.PEEK, Feature.CLOCK_STEPS, Feature.NAMESPACES})
  static final class Large extends Bucket4jOnRedis {
    @Override
    protected List<TokenBucketPolicy> policies() {
      return List.of(Bucket4jLocal.LARGE);
    }
  }
}
