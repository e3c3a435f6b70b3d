package dev.weir.integration;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Fixture;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisProcess;
import java.util.function.Supplier;
import org.redisson.api.RedissonClient;

/**
 * A place where the conformance suite runs, as a user with the documented rights: started at its
 * first use, gone with the JVM.
 */
enum Site {
  CLUSTER(() -> onTopology(RedisCluster.start())),
  SENTINELS(() -> onTopology(RedisSentinelSet.start())),
  REPLICATED(() -> onTopology(RedisReplicated.start())),
  ONE_SERVER(
      () -> {
        RedisProcess server = RedisProcess.start();
        server.call(LimiterUser.rights());
        return LimiterUser.newClient(server, true);
      });

  private final Supplier<RedissonClient> start;
  private RedissonClient redisson;

  Site(Supplier<RedissonClient> start) {
    this.start = start;
  }

  RateLimiter create(Policy policy, Fixture fixture) {
    RedisOptions options =
        Algorithm.patient().withNamespace(fixture.namespace()).withClock(fixture.clock());
    return Algorithm.of(policy).create(client(), policy, options);
  }

  private synchronized RedissonClient client() {
    if (redisson == null) {
      redisson = start.get();
    }
    return redisson;
  }

  private static RedissonClient onTopology(Topology topology) {
    Runtime.getRuntime().addShutdownHook(new Thread(topology::close));
    return topology.newLimiterUserClient();
  }
}
