package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemoryOptions;
import dev.weir.memory.InMemorySlidingWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The limiters that these tests ask. */
public final class Limiters {

  private Limiters() {}

  /** A clock that stands until it is moved. */
  public static final class StandingClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    public void advance(Duration step) {
      now = now.plus(step);
    }
  }

  /** A real limiter at one instant, so that what it says does not depend on the machine's speed. */
  public static RateLimiter standing(long limit, Duration window) {
    return at(new StandingClock(), limit, window);
  }

  public static RateLimiter at(InstantSource clock, long limit, Duration window) {
    return InMemorySlidingWindow.create(
        SlidingWindowPolicy.of(limit, window), InMemoryOptions.defaults().withClock(clock));
  }

  /** A limiter that always decides the same, for answers that take too long to provoke. */
  public static RateLimiter saying(Decision decision) {
    return new Scripted(() -> decision);
  }

  /** A limiter whose store is down. */
  public static RateLimiter down() {
    return new Scripted(
        () -> {
          throw new RateLimiterUnavailableException("the store is down", null);
        });
  }

  /** Answers tryAcquire alone, as the filter may ask nothing else. */
  private record Scripted(Supplier<Decision> script) implements RateLimiter {

    @Override
    public Policy policy() {
      return SlidingWindowPolicy.of(5, Duration.ofSeconds(10));
    }

    @Override
    public Decision tryAcquire(String key, long permits) {
      return script.get();
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      throw new AssertionError("the filter takes in the request's thread");
    }

    @Override
    public Decision peek(String key, long permits) {
      throw new AssertionError("who peeks and then takes lets parallel requests through");
    }

    @Override
    public void reset(String key) {
      throw new AssertionError("the filter resets nothing");
    }
  }
}
