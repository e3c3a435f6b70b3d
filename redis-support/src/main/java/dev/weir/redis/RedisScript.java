package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A Redis script is the Lua text that decides for one algorithm, with {@code prelude.lua} of this
 * module before it.
 *
 * <p>Immutable and safe for use by any number of threads.
 */
public final class RedisScript {

  private static final String PRELUDE =
      text(RedisScript.class.getResourceAsStream("prelude.lua"), "prelude.lua");

  private final String text;
  private final String digest;

  private RedisScript(String text) {
    this.text = text;
    this.digest = sha1(text);
  }

  /**
   * Reads the script of an algorithm, a resource beside its class.
   *
   * <p>The module that holds the file opens it, for in a named module nobody else can: {@code
   * RedisScript.read(X.class.getResourceAsStream("x.lua"), "x.lua")}.
   *
   * @param resource the opened file, in UTF-8, which is closed; null if it is missing
   * @param name the name of the file, for messages
   * @return the script
   * @throws IllegalStateException if the file is missing
   * @throws UncheckedIOException if it cannot be read
   */
  public static RedisScript read(@Nullable InputStream resource, String name) {
    return new RedisScript(PRELUDE + '\n' + text(resource, name));
  }

  /** The text, as EVAL sends it. */
  String text() {
    return text;
  }

  /** The name by which a server that knows the text runs it, as EVALSHA sends it. */
  String digest() {
    return digest;
  }

  private static String text(@Nullable InputStream resource, String name) {
    if (resource == null) {
      throw new IllegalStateException(name + " is missing from the class path or its module");
    }
    try (resource) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-1", e);
    }
  }
}
