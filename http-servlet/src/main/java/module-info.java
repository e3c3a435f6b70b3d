/** A Jakarta Servlet filter that limits requests. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // the servlet API 5.0 has only an Automatic-Module-Name, later ones are modules of that name
@org.jspecify.annotations.NullMarked
module dev.weir.servlet {
  requires static transitive org.jspecify;
  requires transitive dev.weir;
  requires transitive jakarta.servlet;

  exports dev.weir.servlet;
}
