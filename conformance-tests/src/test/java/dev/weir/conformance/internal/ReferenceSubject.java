package dev.weir.conformance.internal;

import dev.weir.FixedWindowPolicy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.StoreFailures;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The reference model of the fixed window as a subject. */
record ReferenceSubject(Set<Feature> features) implements Subject<FixedWindowPolicy> {

  @Override
  public String name() {
    return "reference";
  }

  @Override
  public long tick() {
    return 1;
  }

  @Override
  public List<FixedWindowPolicy> policies() {
    return List.of(
        FixedWindowPolicy.of(1, Duration.ofSeconds(1)),
        FixedWindowPolicy.of(2, Duration.ofSeconds(1)),
        FixedWindowPolicy.of(3, Duration.ofSeconds(1)),
        FixedWindowPolicy.of(5, Duration.ofSeconds(1)));
  }

  @Override
  public RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
    return new FixedWindowReference(policy, fixture.clock(), new HashMap<>());
  }

  @Override
  public long alignment(FixedWindowPolicy policy) {
    return Times.micros(policy.window());
  }

  @Override
  public Optional<FixedWindowPolicy> withLimit(FixedWindowPolicy policy, long limit) {
    return Optional.of(FixedWindowPolicy.of(limit, policy.window()));
  }

  @Override
  public Optional<FixedWindowReference> reference(FixedWindowPolicy policy, InstantSource clock) {
    return Optional.of(new FixedWindowReference(policy, clock, new HashMap<>()));
  }

  @Override
  public List<RateLimiter> neighbours(Fixture fixture) {
    return List.of();
  }

  @Override
  public StoreFailures failures(Fixture fixture) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long retainedKeys(Fixture fixture) {
    throw new UnsupportedOperationException();
  }
}
