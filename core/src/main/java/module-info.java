/** The interface of a rate limiter, its decisions, its policies and the door for providers. */
@SuppressWarnings("module") // the modules named in the exports are built after this one
@org.jspecify.annotations.NullMarked
module dev.weir {
  requires static transitive org.jspecify;

  exports dev.weir;
  exports dev.weir.internal to
      dev.weir.conformance,
      dev.weir.denialcache,
      dev.weir.memory,
      dev.weir.redis,
      dev.weir.servlet;

  uses dev.weir.RateLimiterProvider;
}
