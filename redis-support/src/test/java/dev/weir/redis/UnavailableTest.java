package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiterUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;

class UnavailableTest {

  private static final Duration TIMEOUT = Duration.ofMillis(70);

  @Test
  void theCauseKeepsClassCodeAndStackAndDropsTheMessage() {
    RedisException original =
        new RedisException(
            "WRONGTYPE Operation against a key. command: (EVALSHA), params: [s3cr3t]",
            new IllegalStateException("s3cr3t"));

    RateLimiterUnavailableException unavailable =
        Unavailable.failed(new CompletionException(original), TIMEOUT);

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
      assertThat(Unavailable.failed(new RedisTimeoutException(message), TIMEOUT).getCause())
          .hasMessage("org.redisson.client.RedisTimeoutException");
    }
  }

  @Test
  void redissonsResponseTimeoutReadsLikeTheCallersOwn() {
    assertThat(Unavailable.failed(new RedisResponseTimeoutException("s3cr3t"), TIMEOUT))
        .hasMessage(Unavailable.timedOut(TIMEOUT).getMessage())
        .hasMessage("Redis did not answer within 70 ms")
        .cause()
        .hasMessage("org.redisson.client.RedisResponseTimeoutException");
  }
}
