package dev.weir.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page {@code docs/redis.md}, so that what it says is what is tested. */
final class RedisGuide {

  private RedisGuide() {}

  static List<String> lines() {
    try {
      return Files.readAllLines(Path.of("../docs/redis.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines under a heading. */
  static List<String> section(String heading) {
    return lines().stream()
        .dropWhile(line -> !line.equals("## " + heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }
}
