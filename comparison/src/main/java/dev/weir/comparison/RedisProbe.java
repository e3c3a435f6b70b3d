package dev.weir.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.codec.StringCodec;

/**
 * Looks at a single Redis server from outside: what commands it ran, what keys take, and deletes
 * them.
 */
final class RedisProbe {

  private static final int MOST_KEYS_MEASURED = 10_000;
  private static final int KEYS_A_CALL = 500;

  /** What clients send, as against what scripts call. */
  private static final Set<String> NOT_OF_SCRIPTS =
      Set.of(
          "auth", "client", "command", "config", "eval", "evalsha", "hello", "info", "memory",
          "ping", "scan", "script", "select");

  private static final String MEMORY_USAGE =
      "local bytes = {} "
          + "for i, key in ipairs(KEYS) do "
          + "bytes[i] = redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) or 0 end "
          + "return bytes";

  private final RedissonClient redisson;

  RedisProbe(RedissonClient redisson) {
    this.redisson = redisson;
  }

  /** How many commands scripts have called since the server started, by whichever client. */
  long commandCalls() {
    long calls = 0;
    Map<String, String> stats =
        redisson.getRedisNodes(RedisNodes.SINGLE).getInstance().info(InfoSection.COMMANDSTATS);
    for (Map.Entry<String, String> stat : stats.entrySet()) {
      // cmdstat_memory|usage: calls=12,usec=...
      String command = stat.getKey().substring(stat.getKey().indexOf('_') + 1);
      int bar = command.indexOf('|');
      if (!NOT_OF_SCRIPTS.contains(bar < 0 ? command : command.substring(0, bar))) {
        String value = stat.getValue();
        calls += Long.parseLong(value.substring("calls=".length(), value.indexOf(',')));
      }
    }
    return calls;
  }

  /** What the keys of the namespace take, all of them or a sample that their names decide. */
  Result.@Nullable StateBytes stateBytes(String namespace) {
    List<Object> keys = new ArrayList<>(sample(namespace));
    RScript script = redisson.getScript(StringCodec.INSTANCE);
    long sum = 0;
    long max = 0;
    for (int from = 0; from < keys.size(); from += KEYS_A_CALL) {
      List<Object> some = keys.subList(from, Math.min(keys.size(), from + KEYS_A_CALL));
      List<Long> sizes =
          script.eval(RScript.Mode.READ_ONLY, MEMORY_USAGE, RScript.ReturnType.LIST, some);
      for (long size : sizes) {
        sum += size;
        max = Math.max(max, size);
      }
    }
    return keys.isEmpty()
        ? null
        : new Result.StateBytes(Math.round((double) sum / keys.size()), max);
  }

  void deleteKeys(String namespace) {
    redisson.getKeys().unlinkByPattern(pattern(namespace));
  }

  /** Keeps the keys whose names have the smallest hashes: the same ones in every run. */
  private List<String> sample(String namespace) {
    PriorityQueue<HashedKey> kept = new PriorityQueue<>();
    try (Stream<String> keys =
        redisson
            .getKeys()
            .getKeysStream(
                KeysScanOptions.defaults().pattern(pattern(namespace)).chunkSize(1_000))) {
      keys.forEach(
          key -> {
            String name = key.substring(key.indexOf(namespace) + namespace.length());
            kept.add(new HashedKey(name.hashCode() * 0x9E3779B9, name, key));
            if (kept.size() > MOST_KEYS_MEASURED) {
              kept.poll();
            }
          });
    }
    return kept.stream().map(HashedKey::key).distinct().toList();
  }

  private static String pattern(String namespace) {
    return "*:" + namespace + ":*";
  }

  private record HashedKey(int hash, String name, String key) implements Comparable<HashedKey> {

    @Override
    public int compareTo(HashedKey other) {
      int byHash = Integer.compare(other.hash, hash); // the greatest hash is polled first
      return byHash != 0 ? byHash : name.compareTo(other.name);
    }
  }
}
