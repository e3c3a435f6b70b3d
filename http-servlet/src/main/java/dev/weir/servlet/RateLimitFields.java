package dev.weir.servlet;

import dev.weir.Decision;
import dev.weir.FixedWindowPolicy;
import dev.weir.Policy;
import dev.weir.SlidingWindowCounterPolicy;
import dev.weir.SlidingWindowPolicy;
import dev.weir.TokenBucketPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How decisions and policies are said in response headers. */
final class RateLimitFields {

  static final String LIMIT = "X-RateLimit-Limit";
  static final String REMAINING = "X-RateLimit-Remaining";
  static final String RESET = "X-RateLimit-Reset";
  static final String POLICY = "RateLimit-Policy";
  static final String RATE_LIMIT = "RateLimit";
  static final String RETRY_AFTER = "Retry-After";

  /** The greatest integer that a structured field can carry: 15 digits. */
  static final long MAX_INTEGER = 999_999_999_999_999L;

  private RateLimitFields() {}

  /** Refuses a name that cannot stand in a structured field, and returns it quoted for one. */
  static String quoted(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || !name.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          "name is '" + name + "', must be one or more printable ASCII characters");
    }
    return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The item of {@code RateLimit-Policy}. */
  static String policyItem(String quotedName, Policy policy) {
    String item = quotedName + ";q=" + clamped(policy.limit());
    Duration window = window(policy);
    return window == null || window.getNano() != 0 || window.isZero()
        ? item
        : item + ";w=" + clamped(window.getSeconds());
  }

  private static @Nullable Duration window(Policy policy) {
    if (policy instanceof FixedWindowPolicy fixed) {
      return fixed.window();
    }
    if (policy instanceof SlidingWindowPolicy sliding) {
      return sliding.window();
    }
    if (policy instanceof SlidingWindowCounterPolicy counter) {
      return counter.window();
    }
    return policy instanceof TokenBucketPolicy bucket ? bucket.life() : null;
  }

  /** The item of {@code RateLimit}. */
  static String limitItem(String quotedName, Decision decision) {
    String item = quotedName + ";r=" + clamped(decision.remaining());
    if (decision.allowed()) {
      return item + ";t=" + seconds(decision.resetAfter());
    }
    OptionalLong retryAfter = retryAfter(decision);
    return retryAfter.isPresent() ? item + ";t=" + retryAfter.getAsLong() : item;
  }

  /** The seconds of {@code Retry-After}, at least 1; empty if there is nothing to wait for. */
  static OptionalLong retryAfter(Decision decision) {
    return decision.allowed() || decision.retryAfter().equals(Decision.NEVER)
        ? OptionalLong.empty()
        : OptionalLong.of(seconds(decision.retryAfter()));
  }

  /** The value of {@code X-RateLimit-Reset}; as a time of day if one is given, else as a wait. */
  static long reset(Decision decision, @Nullable Instant now) {
    if (now == null) {
      return seconds(decision.resetAfter());
    }
    Duration reset = decision.resetAfter();
    return reset.toSeconds() > MAX_INTEGER
        ? MAX_INTEGER
        : seconds(Duration.ofSeconds(now.getEpochSecond(), now.getNano()).plus(reset));
  }

  static long clamped(long value) {
    return Math.min(value, MAX_INTEGER);
  }

  /** Whole seconds, rounded up: who waits so long has waited long enough. */
  private static long seconds(Duration duration) {
    long seconds = clamped(duration.getSeconds());
    return duration.getNano() == 0 ? seconds : clamped(seconds + 1);
  }
}
