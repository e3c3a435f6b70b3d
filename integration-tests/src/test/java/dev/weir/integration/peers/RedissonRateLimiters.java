package dev.weir.integration.peers;

import static java.util.Map.entry;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.SlidingWindowPolicy;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.Rule;
import dev.weir.conformance.SlidingWindowConformance;
import dev.weir.conformance.Supports;
import dev.weir.redis.testing.TestRedis;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.RateLimiters;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.ratelimiter.RateLimiterArgs;
import org.redisson.client.RedisException;
import org.redisson.command.CommandAsyncExecutor;

/** Redisson's own rate limiter. */
@Supports({
  Feature.VIRTUAL_TIME,
  Feature.WEIGHTS,
  Feature.RESET,
  Feature.SHARED_STATE,
  Feature.EXACT_DECISIONS
})
class RedissonRateLimiters extends SlidingWindowConformance {

  private static final String BOOLEAN = "`tryAcquire` answers yes or no";

  static final Peer PEER =
      new Peer(
          "Redisson",
          RRateLimiter.class,
          "\"Total rate for all RateLimiter instances\" (javadoc of `RateType.OVERALL`), `rate` permits"
              + " a `rateInterval`; `tryAcquire(n)` acquires them \"only if all are available at the"
              + " time of invocation\". The documentation names no algorithm; the script keeps a log of"
              + " the permits of the last interval, so it is judged as a sliding window log.",
          "One `RRateLimiter` a key, `RateType.OVERALL`, without a keep-alive time; `reset` is"
              + " `setRate`, which \"clears the state\". The time comes from the client, which sends its own with each script: the"
              + " adapter puts the suite's in that place, in whole milliseconds, and changes nothing"
              + " else. The keys of all runs have a prefix of their own.",
          List.of(
              new Peer.Part(RedissonRateLimiters.class),
              new Peer.Part(Large.class, Rule.HALF_OPEN)),
          60,
          Map.ofEntries(
              entry(
                  Feature.OVERSIZE, "a request for more than the rate is refused by an exception"),
              entry(
                  Feature.REMAINING,
                  "`availablePermits` is a call of its own, after which others may have come"),
              entry(Feature.RETRY_AFTER, BOOLEAN),
              entry(Feature.EXACT_RETRY_AFTER, BOOLEAN),
              entry(Feature.RESET_AFTER, BOOLEAN),
              entry(Feature.EXACT_RESET_AFTER, BOOLEAN),
              entry(Feature.PEEK, "there is none that tells what a request would be answered"),
              entry(
                  Feature.CLOCK_STEPS,
                  "the documentation says nothing of clocks that differ or are set back"),
              entry(Feature.NAMESPACES, "there are none; whoever makes the names separates them"),
              entry(
                  Feature.FAILURES,
                  "failures are exceptions of the client; there is no one kind for them"),
              entry(
                  Feature.BOUNDED_STATE,
                  "state goes after the keep-alive time, if one is set, by the clock of the server,"
                      + " which the suite cannot move")),
          Map.of(
              Rule.REMAINING_IN_RANGE,
                  "it tells no numbers with a decision: those are the adapter's",
              Rule.RETRY_AFTER_ZERO_WHEN_ALLOWED,
                  "it tells no numbers with a decision: those are the adapter's"),
          Map.of(
              Rule.HALF_OPEN,
              "Only with a rate over 2^32-1: the permits of an entry of the log are packed"
                  + " into four bytes, so later fewer are released than were taken, and with no"
                  + " entry left the script fails. With 2^32-1 permits a second the rule is kept.",
              Rule.ANY_KEY,
              "Only with strings that are no valid text: an unpaired surrogate has no UTF-8"
                  + " form and is sent as `?`. Keys of valid text are not concerned.",
              Rule.BAD_ARGUMENTS,
              "The documentation of `tryAcquire` says nothing of permits below 1 (`release` refuses"
                  + " negative ones). They are not refused; what is asked for is subtracted from what"
                  + " is left, so that after a request for -3 at a rate of 5 a day 8 permits are there."),
          List.of(
              "Permits that are released and then expire as well are counted twice"
                  + " ([redisson#7329](https://github.com/redisson/redisson/issues/7329)); `release`"
                  + " was not tried here.",
              "Each client sends its own time, so clients whose clocks differ see each"
                  + " other's permits as older or newer than they are; one clock was used here."));

  @Override
  protected Duration resolution() {
    return Duration.ofMillis(1);
  }

  @Override
  protected List<SlidingWindowPolicy> policies() {
    List<SlidingWindowPolicy> policies = new ArrayList<>();
    for (int limit = 1; limit <= 5; limit++) {
      policies.add(SlidingWindowPolicy.of(limit, Duration.ofSeconds(1)));
    }
    for (int limit = 1; limit <= 5; limit++) {
      policies.add(SlidingWindowPolicy.of(limit, Duration.ofMillis(1)));
    }
    policies.add(SlidingWindowPolicy.of(2, Duration.ofMillis(997)));
    policies.add(SlidingWindowPolicy.of(100, Duration.ofMinutes(1)));
    policies.add(SlidingWindowPolicy.of(3, Duration.ofDays(366)));
    policies.add(SlidingWindowPolicy.of((1L << 32) - 1, Duration.ofSeconds(1)));
    return policies;
  }

  /** A limiter that exists keeps its rate until it is set. */
  @Override
  protected Optional<SlidingWindowPolicy> withLimit(SlidingWindowPolicy policy, long limit) {
    return Optional.empty();
  }

  @Override
  protected RateLimiter create(SlidingWindowPolicy policy, Fixture fixture) {
    CommandAsyncExecutor executor =
        atTheTimeOf(fixture.clock(), ((Redisson) TestRedis.redisson()).getCommandExecutor());
    Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();
    fixture.onClose(() -> limiters.values().forEach(RRateLimiter::delete));
    return new PeerLimiter(policy) {
      @Override
      Decision decide(String key, long permits) {
        try {
          return answer(limiters.computeIfAbsent(key, this::limiter).tryAcquire(permits));
        } catch (RedisException e) {
          throw shortened(e);
        }
      }

      @Override
      public void reset(String key) {
        limiters
            .computeIfAbsent(checked(key), this::limiter)
            .setRate(RateLimiterArgs.of(RateType.OVERALL, policy.limit(), policy.window()));
      }

      private RRateLimiter limiter(String key) {
        RRateLimiter limiter = RateLimiters.create(executor, fixture.namespace() + ":" + key);
        limiter.trySetRate(RateType.OVERALL, policy.limit(), policy.window());
        return limiter;
      }
    };
  }

  /** Sends the suite's time in the place of the client's, in the script of {@code tryAcquire}. */
  private static CommandAsyncExecutor atTheTimeOf(
      InstantSource clock, CommandAsyncExecutor executor) {
    return (CommandAsyncExecutor)
        Proxy.newProxyInstance(
            RedissonRateLimiters.class.getClassLoader(),
            new Class<?>[] {CommandAsyncExecutor.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("evalWriteAsync")
                  && arguments[arguments.length - 1] instanceof Object[] values
                  && values.length == 3
                  && values[1] instanceof Long
                  && values[2] instanceof byte[]) {
                values[1] = clock.millis();
              }
              try {
                return method.invoke(executor, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * The message without what differs from run to run: the connection, the script, the arguments.
   */
  private static RedisException shortened(RedisException e) {
    return new RedisException(
        String.valueOf(e.getMessage())
            .replaceFirst("(?s)(\\. channel:| script:|, on @).*", "")
            .replaceAll("user_script:\\d+: ", ""));
  }

  /** Where permits need more than 32 bits. */
  @Supports({
    Feature.VIRTUAL_TIME,
    Feature.WEIGHTS,
    Feature.RESET,
    Feature.SHARED_STATE,
    Feature.EXACT_DECISIONS
  })
  static final class Large extends RedissonRateLimiters {
    @Override
    protected List<SlidingWindowPolicy> policies() {
      return List.of(SlidingWindowPolicy.of(1L << 33, Duration.ofSeconds(1)));
    }
  }
}
