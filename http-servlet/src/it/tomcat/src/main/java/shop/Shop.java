package shop;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.servlet.RateLimitFilter;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat embedded, as docs/http.md shows it. */
final class Shop {

  private Shop() {}

  static Tomcat server() {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir("target/tomcat");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet");
    context.addServletMappingDecoded("/", "default");

    var limiter = InMemorySlidingWindow.create(SlidingWindowPolicy.of(5, Duration.ofMinutes(1)));
    var filter = new FilterDef();
    filter.setFilterName("rate-limit");
    filter.setFilter(RateLimitFilter.builder(limiter).name("api").build());
    filter.setAsyncSupported("true");
    context.addFilterDef(filter);
    var mapping = new FilterMap();
    mapping.setFilterName("rate-limit");
    mapping.addURLPattern("/api/*");
    context.addFilterMap(mapping);
    return tomcat;
  }
}
