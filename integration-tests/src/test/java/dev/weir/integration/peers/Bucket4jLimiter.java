package dev.weir.integration.peers;

import dev.weir.Decision;
import dev.weir.TokenBucketPolicy;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;

/** Bucket4j behind the interface of this library, wherever its buckets are. */
final class Bucket4jLimiter extends PeerLimiter {

  private final long capacity;
  private final Function<String, ? extends Bucket> buckets;

  Bucket4jLimiter(TokenBucketPolicy policy, Function<String, ? extends Bucket> buckets) {
    super(policy);
    this.capacity = policy.capacity();
    this.buckets = buckets;
  }

  static Bandwidth bandwidth(TokenBucketPolicy policy) {
    return Bandwidth.builder()
        .capacity(policy.capacity())
        .refillGreedy(policy.refillTokens(), policy.refillPeriod())
        .build();
  }

  static TimeMeter meter(InstantSource clock) {
    return new TimeMeter() {
      @Override
      public long currentTimeNanos() {
        return nanos(clock);
      }

      @Override
      public boolean isWallClockBased() {
        return true;
      }
    };
  }

  @Override
  Decision decide(String key, long permits) {
    ConsumptionProbe probe = buckets.apply(key).tryConsumeAndReturnRemaining(permits);
    Duration resetAfter = Duration.ofNanos(probe.getNanosToWaitForReset());
    return probe.isConsumed()
        ? Decision.admitted(capacity, probe.getRemainingTokens(), resetAfter)
        : Decision.denied(
            capacity,
            probe.getRemainingTokens(),
            retryAfter(probe.getNanosToWaitForRefill()),
            resetAfter);
  }

  @Override
  public Decision peek(String key, long permits) {
    EstimationProbe probe = buckets.apply(checked(key)).estimateAbilityToConsume(permits);
    return probe.canBeConsumed()
        ? Decision.admitted(capacity, probe.getRemainingTokens() - permits, Duration.ZERO)
        : Decision.denied(
            capacity,
            probe.getRemainingTokens(),
            retryAfter(probe.getNanosToWaitForRefill()),
            Duration.ZERO);
  }

  @Override
  public void reset(String key) {
    buckets.apply(checked(key)).reset();
  }

  private static Duration retryAfter(long nanos) {
    return nanos == Long.MAX_VALUE ? Decision.NEVER : Duration.ofNanos(nanos);
  }
}
