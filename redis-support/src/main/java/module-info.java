/** What the limiters on Redis share, for authors of more of them too. */
// Redisson has only an Automatic-Module-Name, "redisson".
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
@org.jspecify.annotations.NullMarked
module dev.weir.redis {
  requires transitive dev.weir;
  requires transitive redisson;
  // Redisson is automatic, so nobody else resolves these named modules that it loads.
  requires io.netty.resolver.dns;
  requires org.slf4j;
  requires org.yaml.snakeyaml;
  requires static transitive org.jspecify;

  exports dev.weir.redis;
}
