package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.Quota;
import dev.weir.RateLimiterProvider;
import dev.weir.RateLimiters;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays a made log of many keys from a file, on memory.
 *
 * <p>It is small by default. {@code -Dweir.scale.events=10000000 -Dweir.scale.keys=1000000} makes
 * it long; then no algorithm may take more than three times what reading the log alone takes.
 * {@code -Dweir.scale.line=100} makes lines of that many bytes, {@code -Dweir.scale.file=FILE}
 * keeps the log.
 */
class ReplayAtScaleTest {

  private static final int SMALL = 200_000;
  private static final int EVENTS = Integer.getInteger("weir.scale.events", SMALL);
  private static final int KEYS = Integer.getInteger("weir.scale.keys", SMALL / 10);
  private static final int LINE = Integer.getInteger("weir.scale.line", 80);
  private static final int A_SECOND = 116; // ten million in a day
  private static final double MOST = 3;

  @Test
  void noAlgorithmTakesMuchLongerThanReadingTheLog(@TempDir Path folder) throws IOException {
    String given = System.getProperty("weir.scale.file");
    Path log = given == null ? folder.resolve("access.log") : Path.of(given);
    if (Files.notExists(log)) {
      write(log);
    }
    Stopwatch first = new Stopwatch();
    TraceReader.of(TraceFormat.CLF).read(log).close();
    System.out.printf("reading %s bytes: %s%n", Files.size(log), first.stop());
    Stopwatch reading = new Stopwatch();
    try (Trace trace = TraceReader.of(TraceFormat.CLF).read(log)) {
      System.out.printf("reading again: %s%n", reading.stop());
      assertThat(trace.facts().events()).isEqualTo(EVENTS);
      assertThat(trace.facts().keys()).isEqualTo(KEYS);
      for (String algorithm : algorithms()) {
        Stopwatch replay = new Stopwatch();
        Result result =
            Comparison.of(trace)
                .with(Quota.parse("10/1m"))
                .algorithms(List.of(algorithm))
                .run()
                .results()
                .get(0);
        replay.stop();
        double ratio = replay.wall / reading.wall;
        System.out.printf(
            Locale.ROOT,
            "%s: %s, %.2f of reading (%.2f by processor time); %d denied, heap %,d of %,d MiB%n",
            algorithm,
            replay,
            ratio,
            replay.cpu / reading.cpu,
            result.denied(),
            (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
            Runtime.getRuntime().maxMemory() >> 20);
        assertThat(result.offered()).isEqualTo(EVENTS);
        assertThat(result.denied()).isPositive();
        if (EVENTS > SMALL) { // on a short log the compiler's warming up decides
          assertThat(ratio).as(algorithm).isLessThanOrEqualTo(MOST);
        }
      }
    }
  }

  private static List<String> algorithms() {
    return RateLimiters.providers().stream()
        .filter(provider -> provider.store().equals("memory"))
        .map(RateLimiterProvider::algorithm)
        .toList();
  }

  /**
   * Writes requests: every second one by all keys in turn, the others mostly by few, and each line
   * up to three seconds late, as servers write them.
   */
  private static void write(Path log) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    DateTimeFormatter form =
        DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    long start = Instant.parse("2026-03-01T00:00:00Z").getEpochSecond();
    String[] times = new String[EVENTS / A_SECOND + 4];
    for (int i = 0; i < times.length; i++) {
      times[i] = form.format(Instant.ofEpochSecond(start + i));
    }
    StringBuilder line = new StringBuilder();
    try (BufferedWriter out = Files.newBufferedWriter(log, StandardCharsets.US_ASCII)) {
      for (int i = 0; i < EVENTS; i++) {
        double share = random.nextDouble();
        int key = i % 2 == 0 ? (int) (i / 2 * 7_919L % KEYS) : (int) (KEYS * share * share * share);
        int second = i / A_SECOND + random.nextInt(4);
        line.setLength(0);
        line.append("10.").append(key >> 16).append('.').append(key >> 8 & 255).append('.');
        line.append(key & 255).append(" - - [").append(times[second]).append("] \"GET /");
        while (line.length() < LINE - 20) {
          line.append("a/very/long/path/", 0, Math.min(17, LINE - 20 - line.length()));
        }
        out.append(line).append(" HTTP/1.1\" 200 512\n");
      }
    }
  }

  /** Seconds on the wall and of all processors, the collector's among them. */
  private static final class Stopwatch {

    private static final OperatingSystemMXBean SYSTEM =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private double wall = -System.nanoTime() / 1e9;
    private double cpu = -SYSTEM.getProcessCpuTime() / 1e9;

    Stopwatch stop() {
      wall += System.nanoTime() / 1e9;
      cpu += SYSTEM.getProcessCpuTime() / 1e9;
      return this;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.1f s (%.1f s of processors)", wall, cpu);
    }
  }
}
