package users;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A fixed window that counts what it denies, too: a fault of many that are released. */
final class CountsDenials implements RateLimiter {
  private final FixedWindowPolicy policy;
  private final InstantSource clock;
  private final Map<String, Long> counts = new HashMap<>();

  CountsDenials(FixedWindowPolicy policy, InstantSource clock) {
    this.policy = policy;
    this.clock = clock;
  }

  @Override
  public synchronized Decision tryAcquire(String key, long permits) {
    long window = policy.window().toMillis();
    long now = clock.instant().toEpochMilli();
    long count = counts.merge(key + " " + now / window, permits, Long::sum);
    Duration end = Duration.ofMillis(window - now % window);
    long left = Math.max(0, policy.limit() - count);
    return count <= policy.limit()
        ? Decision.admitted(policy.limit(), left, end)
        : Decision.denied(policy.limit(), left, end, end);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
    return CompletableFuture.completedFuture(tryAcquire(key, permits));
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public Decision peek(String key, long permits) {
    throw new UnsupportedOperationException("not promised");
  }

  @Override
  public void reset(String key) {
    counts.clear();
  }
}
