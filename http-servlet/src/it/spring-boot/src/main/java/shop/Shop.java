package shop;

import dev.weir.SlidingWindowPolicy;
import dev.weir.memory.InMemorySlidingWindow;
import dev.weir.servlet.RateLimitFilter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The application of docs/http.md. */
@SpringBootApplication
public class Shop {

  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> rateLimit() {
    var limiter = InMemorySlidingWindow.create(SlidingWindowPolicy.of(5, Duration.ofMinutes(1)));
    var filter = RateLimitFilter.builder(limiter).name("api").trustedProxies("127.0.0.1").build();
    var registration = new FilterRegistrationBean<>(filter);
    registration.addUrlPatterns("/api/*");
    return registration;
  }

  /** What there is to ask for. */
  @RestController
  static class Api {

    @GetMapping("/api/items/{id}")
    String item(@PathVariable("id") String id) {
      return "item " + id;
    }

    @GetMapping("/api/slow")
    Callable<String> slow() {
      return () -> "slow";
    }

    @GetMapping("/api/broken")
    String broken() {
      throw new IllegalStateException("on purpose");
    }

    @GetMapping("/open")
    String open() {
      return "open";
    }
  }
}
