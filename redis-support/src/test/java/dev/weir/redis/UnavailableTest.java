package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiterUnavailableException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;

class UnavailableTest {

  @Test
  void theCauseKeepsClassCodeAndStackAndDropsTheMessage() {
    RedisException original =
        new RedisException(
            "WRONGTYPE Operation against a key. command: (EVALSHA), params: [s3cr3t]",
            new IllegalStateException("s3cr3t"));

    RateLimiterUnavailableException unavailable =
        Unavailable.failed(new CompletionException(original));

    assertThat(unavailable)
        .hasMessage("Redis failed: org.redisson.client.RedisException: WRONGTYPE");
    assertThat(unavailable.getCause())
        .hasMessage("org.redisson.client.RedisException: WRONGTYPE")
        .hasStackTraceContaining("UnavailableTest");
    assertThat(unavailable.getCause().getStackTrace()).isEqualTo(original.getStackTrace());
    assertThat(unavailable.getCause().getCause()).hasMessage("java.lang.IllegalStateException");
  }

  @Test
  void aMessageThatBeginsWithNoCodeLeavesNothing() {
    for (String message :
        new String[] {"Redis server response timeout", "S3CR3T-key", "s3cr3t", "", null}) {
      assertThat(Unavailable.failed(new RedisTimeoutException(message)).getCause())
          .hasMessage("org.redisson.client.RedisTimeoutException");
    }
  }
}
