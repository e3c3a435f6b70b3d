package dev.weir.conformance.internal;

import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.conformance.Feature;
import dev.weir.conformance.Fixture;
import dev.weir.conformance.StoreFailures;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is under test, as its author describes it. */
public interface Subject<P extends Policy> {

  /** The name of the author's class. */
  String name();

  /** What the limiter promises. */
  Set<Feature> features();

  /** The resolution of the limiter's clock in microseconds. */
  long tick();

  /** The policies to test with, simple ones first. */
  List<P> policies();

  /** A new limiter. */
  RateLimiter create(P policy, Fixture fixture);

  /** The time in microseconds by whose multiples a trace may be shifted. */
  long alignment(P policy);

  /** The policy with another limit. */
  Optional<P> withLimit(P policy, long limit);

  /** A new reference model of the algorithm, if there is one. */
  Optional<? extends ReferenceLimiter<?>> reference(P policy, InstantSource clock);

  /** Limiters that must share nothing with that under test. */
  List<RateLimiter> neighbours(Fixture fixture);

  /** Control over the store's failures. */
  StoreFailures failures(Fixture fixture);

  /** How many keys have state in the store. */
  long retainedKeys(Fixture fixture);

  /** Whether the limiter promises a feature. */
  default boolean has(Feature feature) {
    return features().contains(feature);
  }
}
