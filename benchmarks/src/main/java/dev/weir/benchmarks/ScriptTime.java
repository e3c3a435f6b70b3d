package dev.weir.benchmarks;

import java.util.Map;
import java.util.concurrent.Callable;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;

/** How long the server itself takes for scripts, as {@code INFO commandstats} tells. */
record ScriptTime(RedissonClient redisson) {

  /** Returns the mean time of the scripts that run meanwhile, in microseconds. */
  double micros(Callable<?> calls) throws Exception {
    double[] before = scripts();
    calls.call();
    double[] after = scripts();
    return (after[1] - before[1]) / (after[0] - before[0]);
  }

  /** Returns how many scripts have run, and how many microseconds it took. */
  private double[] scripts() {
    Map<String, String> stats =
        redisson.getRedisNodes(RedisNodes.SINGLE).getInstance().info(InfoSection.COMMANDSTATS);
    String[] fields = stats.getOrDefault("cmdstat_evalsha", "calls=0,usec=0").split("[=,]");
    return new double[] {Double.parseDouble(fields[1]), Double.parseDouble(fields[3])};
  }
}
