package dev.weir.conformance.mutants;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.conformance.Fixture;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;

/** Token buckets with one fault each. */
final class TokenBucketMutants {

  private TokenBucketMutants() {}

  @Seen("case 90: gubernator#77, diom#115, throttled-py")
  static final class RoundsTheRefillDown extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        void denied(String key, Bucket level, long permits) {
          put(key, new Bucket(level.whole(), 0, level.last()));
        }

        @Override
        Bucket capped(long whole, long fraction, long at) {
          return super.capped(whole, 0, at);
        }
      };
    }
  }

  @Seen("cases 47 and 48: upstash#156")
  static final class GoesIntoDebt extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        void denied(String key, Bucket level, long permits) {
          if (permits <= limit) {
            put(key, new Bucket(level.whole() - permits, level.fraction(), level.last()));
          }
        }
      };
    }
  }

  @Seen("case 59: bucket4j#417, a denied request takes what is there")
  static final class GrantsInPart extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        void denied(String key, Bucket level, long permits) {
          if (permits <= limit) {
            put(key, new Bucket(0, level.fraction(), level.last()));
          }
        }
      };
    }
  }

  @Seen("cases 29 and 30: spring-cloud-gateway#1688, #2412")
  static final class MovesTimeBack extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        Bucket filled(Bucket bucket, long at) {
          return super.filled(bucket, Math.max(at, bucket.last()));
        }

        @Override
        long at(Bucket bucket, long now) {
          return now;
        }
      };
    }
  }

  @Seen("cases 56, 64 and 87: times and products beyond what their type holds")
  static final class OverflowsOnALongPause extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        Bucket filled(Bucket bucket, long at) {
          long elapsed = at - bucket.last();
          long narrow = (int) (elapsed / 1_000) * 1_000L + elapsed % 1_000;
          return super.filled(bucket, bucket.last() + Math.max(0, narrow));
        }

        @Override
        long until(Bucket bucket) {
          return Long.MAX_VALUE;
        }
      };
    }
  }

  @Seen("case 14: redisson#3260, a missing key that is not a fresh one")
  static final class StartsEmpty extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        Bucket first(long now) {
          return new Bucket(0, 0, now);
        }
      };
    }
  }

  @Seen("cases 61 and 63: redisson#7329, refunds without a ceiling")
  static final class GrowsBeyondItsCapacity extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        Bucket filled(Bucket bucket, long at) {
          BigInteger[] gained = gained(bucket, at).divideAndRemainder(BigInteger.valueOf(period));
          return new Bucket(
              bucket.whole() + gained[0].longValueExact(), gained[1].longValueExact(), at);
        }

        @Override
        long until(Bucket bucket) {
          return Long.MAX_VALUE;
        }
      };
    }
  }

  @Seen("case 77: redis#14826, a wait rounded down")
  static final class ResetsOneMicrosecondEarly extends MutantTokenBucket {
    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        long resetWait(Bucket level) {
          return wait(level, limit) - 1;
        }
      };
    }
  }

  @Seen("case 82: redis_rate, floating point where integers belong")
  static final class CountsInFloatingPoint extends MutantTokenBucket {

    /** The microseconds of a minute have more digits than a float; shorter waits would be exact. */
    @Override
    protected List<TokenBucketPolicy> policies() {
      return List.of(TokenBucketPolicy.of(1, 1, Duration.ofMinutes(1)));
    }

    @Override
    protected RateLimiter create(TokenBucketPolicy policy, Fixture fixture) {
      return new TokenBucketSkeleton(policy, fixture) {
        @Override
        Bucket filled(Bucket bucket, long at) {
          float elapsed = at - bucket.last();
          Bucket level = super.filled(bucket, bucket.last() + (long) elapsed);
          return new Bucket(level.whole(), level.fraction(), at);
        }
      };
    }
  }
}
