/** The suite that proves a rate limiter honest, for limiters of this library and anyone's. */
@org.jspecify.annotations.NullMarked
module dev.weir.conformance {
  requires static transitive org.jspecify;
  requires transitive dev.weir;
  requires net.jqwik.api;

  exports dev.weir.conformance;

  // jqwik builds the generators and hooks of that package, and calls the rules, by reflection.
  opens dev.weir.conformance;
  opens dev.weir.conformance.internal.jqwik;
}
