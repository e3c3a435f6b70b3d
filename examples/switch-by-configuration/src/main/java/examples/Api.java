package examples;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import dev.weir.RateLimiter;
import dev.weir.RateLimiters;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** A service whose limit is a matter of configuration. */
public final class Api {

  private Api() {}

  /**
   * Makes the limiter that a file describes.
   *
   * @param limits the file: {@code store}, {@code algorithm} and {@code quota}
   * @param context the namespace, and the Redis client if the store is Redis
   */
  public static RateLimiter limiter(Properties limits, ProviderContext context) {
    return RateLimiters.create(
        limits.getProperty("store"),
        limits.getProperty("algorithm"),
        Quota.parse(limits.getProperty("quota")),
        context);
  }

  public static void main(String[] args) throws IOException {
    Properties limits = new Properties();
    try (InputStream file = Api.class.getResourceAsStream("/limits.properties")) {
      limits.load(file);
    }
    RateLimiter limiter = limiter(limits, ProviderContext.of("api"));
    for (int i = 1; i <= 6; i++) {
      System.out.println(i + " " + limiter.tryAcquire("user:42"));
    }
  }
}
