package dev.weir.redis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a limiter's script without the limiter, to see its integers. */
public final class ScriptRunner implements AutoCloseable {

  private final RespClient redis = new RespClient(TestRedis.uri());
  private final String digest;

  /** Loads the script of a class, the file beside it, with the prelude before it. */
  public ScriptRunner(Class<?> owner, String file) {
    String text =
        read("dev/weir/redis/prelude.lua")
            + '\n'
            + read(owner.getPackageName().replace('.', '/') + '/' + file);
    this.digest = (String) redis.call("SCRIPT", "LOAD", text);
  }

  /** Returns the command that runs the script for some requests of one key. */
  public String[] command(String key, long now, String mode, long[] policy, long... permits) {
    List<String> command =
        new ArrayList<>(List.of("EVALSHA", digest, "1", key, String.valueOf(now), mode));
    for (long number : policy) {
      command.add(String.valueOf(number));
    }
    for (long number : permits) {
      command.add(String.valueOf(number));
    }
    return command.toArray(String[]::new);
  }

  /** The connection, for a look at the key. */
  public RespClient redis() {
    return redis;
  }

  private static String read(String resource) {
    try (InputStream in = ScriptRunner.class.getClassLoader().getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    redis.close();
  }
}
