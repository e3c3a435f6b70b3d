package shop;

import dev.weir.spring.RateLimited;

/** What costs more the longer it is. */
class Reports {

  @RateLimited(value = "reports", key = "#account", cost = "#pages")
  String make(String account, int pages) {
    return "report of " + account;
  }
}
