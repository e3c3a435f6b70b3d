package dev.weir.servlet;

import dev.weir.RateLimiter;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a limiter counts, by which key and with which cost.
 *
 * @param name how the policy is called in headers
 * @param quotedName the name as a structured field has it
 * @param paths the patterns, one of which a path must match
 * @param methods the methods, empty for all
 * @param keyKind the kind that {@code keyValue} gives
 * @param keyValue the key where it is not the client's address, or null
 * @param cost permits of a request
 * @param limits the limiter, and the one to ask when it has no answer
 * @param whenUnavailable what to do when all of them have no answer
 * @param counted the request attribute that says that this policy has counted the request
 */
record RequestPolicy(
    String name,
    String quotedName,
    List<PathPattern> paths,
    Set<String> methods,
    String keyKind,
    @Nullable Function<? super HttpServletRequest, ? extends @Nullable String> keyValue,
    ToLongFunction<? super HttpServletRequest> cost,
    List<Limit> limits,
    WhenUnavailable whenUnavailable,
    String counted) {

  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Set<String> ADDRESS_KINDS = Set.of("ip4", "ip6");
  private static final int MAX_KEY_BYTES = 200;
  private static final AtomicLong POLICIES = new AtomicLong();

  /** A limiter, and what {@code RateLimit-Policy} says of it. */
  record Limit(RateLimiter limiter, String policyItem, AtomicBoolean down) {

    static Limit of(String quotedName, RateLimiter limiter) {
      return new Limit(
          limiter, RateLimitFields.policyItem(quotedName, limiter.policy()), new AtomicBoolean());
    }
  }

  /** Returns the name of a request attribute that no other policy has. */
  static String newAttribute() {
    return RateLimitFilter.class.getName() + ".counted." + POLICIES.incrementAndGet();
  }

  /** Refuses a kind that could be taken for another. */
  static String checkKind(String kind) {
    if (!KIND.matcher(kind).matches() || ADDRESS_KINDS.contains(kind)) {
      throw new IllegalArgumentException(
          "kind of key is '"
              + kind
              + "', must be 1 to 32 of a-z, 0-9 and -, begin with a letter, and not be ip4 or ip6");
    }
    return kind;
  }

  boolean isForEveryPath() {
    return paths.contains(PathPattern.EVERYTHING);
  }

  boolean matches(String method, List<String> readings, boolean ignoreCase) {
    if (!methods.isEmpty() && !methods.contains(method)) {
      return false;
    }
    return PathPattern.anyMatches(paths, readings, ignoreCase);
  }

  String keyOf(HttpServletRequest request, ClientAddress client) {
    String value = keyValue == null ? null : keyValue.apply(request);
    return value == null || value.isEmpty() ? client.keyOf(request) : key(keyKind, value);
  }

  /** A key of a kind: bounded in length, and never that of another kind or another value. */
  static String key(String kind, String value) {
    String key = kind + ":" + value;
    if (key.length() * 3 <= MAX_KEY_BYTES
        || (key.length() <= MAX_KEY_BYTES
            && key.getBytes(StandardCharsets.UTF_8).length <= MAX_KEY_BYTES)) {
      return key;
    }
    // Digested as it is in memory: an encoding would make unpaired surrogates equal.
    ByteBuffer chars = ByteBuffer.allocate(value.length() * Character.BYTES);
    chars.asCharBuffer().put(value);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(chars.array());
      return kind + "#sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  long permits(HttpServletRequest request) {
    return Math.max(1, cost.applyAsLong(request));
  }
}
