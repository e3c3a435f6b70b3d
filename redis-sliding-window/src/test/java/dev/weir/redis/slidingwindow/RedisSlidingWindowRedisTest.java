package dev.weir.redis.slidingwindow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.testing.RedisLimiterContract;
import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

class RedisSlidingWindowRedisTest extends RedisLimiterContract {

  @Override
  protected RateLimiter create(RedissonClient redisson, Quota quota, RedisOptions options) {
    return RedisSlidingWindow.create(redisson, SlidingWindowPolicy.of(quota), options);
  }

  @Override
  protected String tag() {
    return "sw";
  }

  @Override
  protected void putForeignValue(RespClient redis, String name) {
    redis.call("ZADD", name, "1", "0b8f6a3e-uuid");
  }

  private static final long NOON = 1_780_000_000_000_000L;

  private final String namespace = TestRedis.freshNamespace();
  private long now = NOON;

  private RateLimiter limiter(RedissonClient redisson, String quota) {
    return create(
        redisson,
        Quota.parse(quota),
        RedisOptions.defaults()
            .withNamespace(namespace)
            .withClock(() -> Instant.EPOCH.plus(now, ChronoUnit.MICROS)));
  }

  private String name(String key) {
    return "weir1:sw:" + namespace + ":" + key;
  }

  @Test
  void aDecisionRunsAtMostSevenCommands(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = create(redisson, Quota.parse("5/1s"), RedisOptions.defaults());
    String key = TestRedis.freshNamespace();
    limiter.tryAcquire(key);
    List<String> reads = List.of("evalsha 1", "time 1", "zrange 2", "zcount 1");

    redis.call("CONFIG", "RESETSTAT");
    limiter.tryAcquire(key, 4);
    assertThat(redis.commands()).containsAll(reads).contains("zadd 1", "pexpire 1").hasSize(6);

    redis.call("CONFIG", "RESETSTAT");
    limiter.tryAcquire(key);
    assertThat(redis.commands())
        .containsExactlyInAnyOrder("evalsha 1", "time 1", "zrange 3", "zcount 1");
    limiter.reset(key);
  }

  @Test
  void aWriteAtTheMicrosecondOfTheLastAndWithExpiredMembersRunsSeven(
      RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = limiter(redisson, "100/1s");
    for (int i = 0; i < 50; i++, now++) {
      limiter.tryAcquire("key");
    }
    now += 2_000_000;
    limiter.tryAcquire("key");

    redis.call("CONFIG", "RESETSTAT");
    limiter.tryAcquire("key");

    assertThat(redis.commands())
        .containsExactlyInAnyOrder(
            "evalsha 1",
            "zrange 2",
            "zcount 1",
            "zadd 1",
            "zrem 1",
            "zremrangebyrank 1",
            "pexpire 1");
    limiter.reset("key");
  }

  @Test
  void aWeightedDenialSearchesByHalving(RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = limiter(redisson, "1000/1h");
    for (int i = 0; i < 1000; i++, now++) {
      limiter.tryAcquire("key");
    }

    for (long permits : new long[] {2, 3, 500, 777, 1000}) {
      redis.call("CONFIG", "RESETSTAT");
      Decision denied = limiter.tryAcquire("key", permits);
      assertThat(denied.retryAfter())
          .isEqualTo(Duration.ofHours(1).minus(1000 - permits + 1, ChronoUnit.MICROS));
      assertThat(redis.calls("zrange") + redis.calls("zcount") + redis.calls("zcard"))
          .isLessThanOrEqualTo(7 + 10);
    }
    limiter.reset("key");
  }

  @Test
  void aCallRemovesSixteenExpiredMembersAtMostAndNeverTheBase(
      RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = limiter(redisson, "1000/1s");
    for (int i = 0; i < 100; i++, now++) {
      limiter.tryAcquire("key");
    }
    assertThat(redis.number("ZCARD", name("key"))).isEqualTo(101);

    now += 1_000_000;
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < 8; i++, now++) {
      assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(999 - i);
      sizes.add(redis.number("ZCARD", name("key")));
    }

    assertThat(sizes).containsExactly(86L, 71L, 56L, 41L, 26L, 11L, 8L, 9L);
    limiter.reset("key");
  }

  @Test
  void aTotalThatComesRoundToThatOfAnExpiredMemberTakesItsPlace(
      RedissonClient redisson, RespClient redis) {
    RateLimiter limiter = limiter(redisson, "1000/1s");
    redis.call("ZADD", name("key"), "0", "0", "10", "5", "20", String.valueOf((1L << 52) - 5));

    assertThat(limiter.tryAcquire("key", 10).remaining()).isEqualTo(990);
    now++;
    assertThat(limiter.tryAcquire("key", 5).remaining()).isEqualTo(985);
    assertThat(redis.call("ZRANGE", name("key"), "0", "-1"))
        .isEqualTo(List.of(String.valueOf((1L << 52) - 5), "5", "10"));
    limiter.reset("key");
  }

  @Test
  void aLogOfAHundredFreshEntriesTakes1500BytesAtMost(RedissonClient redisson, RespClient redis) {
    RedisOptions options = RedisOptions.defaults().withNamespace("n");
    String key = "k".repeat(25 - "weir1:sw:n:".length());
    RateLimiter limiter = create(redisson, Quota.parse("1000/366d"), options);

    for (int i = 0; i < 100; i++) {
      limiter.tryAcquire(key);
    }

    assertThat(redis.number("ZCARD", "weir1:sw:n:" + key)).isEqualTo(101);
    long bytes = redis.number("MEMORY", "USAGE", "weir1:sw:n:" + key);
    System.out.println("sliding window log of 100 entries: " + bytes + " bytes");
    assertThat(bytes).isLessThanOrEqualTo(1500);
    limiter.reset(key);
  }
}
