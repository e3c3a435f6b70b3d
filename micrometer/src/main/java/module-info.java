/** Meters of rate limiters. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has only an Automatic-Module-Name
@org.jspecify.annotations.NullMarked
module dev.weir.micrometer {
  requires static transitive org.jspecify;
  requires transitive dev.weir;
  requires transitive micrometer.core;

  exports dev.weir.micrometer;
}
