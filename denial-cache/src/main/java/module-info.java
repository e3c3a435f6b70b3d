/** A cache of denials in front of any rate limiter. */
@org.jspecify.annotations.NullMarked
module dev.weir.denialcache {
  requires transitive dev.weir;
  requires com.github.benmanes.caffeine;
  requires static transitive org.jspecify;

  exports dev.weir.denialcache;
}
