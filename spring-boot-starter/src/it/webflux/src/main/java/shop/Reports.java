package shop;

import dev.weir.spring.RateLimited;
import reactor.core.publisher.Mono;

/** What costs more the longer it is. */
class Reports {

  @RateLimited(value = "reports", key = "#account", cost = "#pages")
  Mono<String> make(String account, int pages) {
    return Mono.just("report of " + account);
  }
}
