package shop;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The application of docs/spring.md. */
@SpringBootApplication
public class Shop {

  public static void main(String[] arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  @Bean(destroyMethod = "shutdown")
  RedissonClient redisson(@Value("${shop.redis}") String address) {
    Config config = new Config();
    config.useSingleServer().setAddress(address);
    return Redisson.create(config);
  }

  @Bean
  Reports reports() {
    return new Reports();
  }

  /** What there is to ask for. */
  @RestController
  static class Api {

    private final Reports reports;

    Api(Reports reports) {
      this.reports = reports;
    }

    @GetMapping("/api/items/{id}")
    Mono<String> item(@PathVariable("id") String id) {
      return Mono.just("item " + id);
    }

    @GetMapping("/reports/{account}/{pages}")
    Mono<String> report(@PathVariable("account") String account, @PathVariable("pages") int pages) {
      return reports.make(account, pages);
    }
  }
}
