package users;

import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.redis.slidingwindow.RedisSlidingWindow;
import java.time.Duration;
import org.redisson.api.RedissonClient;

final class Shop {
  private final RateLimiter limiter;

  Shop(RedissonClient redisson) {
    limiter = RedisSlidingWindow.create(redisson, SlidingWindowPolicy.of(100, Duration.ofMinutes(1)));
  }

  boolean open(String customer) {
    return limiter.tryAcquire(customer).allowed();
  }
}
