package users;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;

final class Shop {
  public static void main(String[] arguments) {
    RateLimiter limiter =
        RateLimiters.create("memory", "sliding-window", Quota.parse("1/1h"), ProviderContext.of("shop"));
    System.out.println("first: " + limiter.tryAcquire("alice").allowed());
    System.out.println("second: " + limiter.tryAcquire("alice").allowed());
  }
}
