package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever the format and however it is packed, the events that were written are those read. */
class TraceFormatsTest {

  record Event(long micros, String key, long permits, int zoneMinutes) {}

  /** What a file looks like beyond its events. */
  record Wrapping(boolean crlf, boolean mark, boolean latin1, int members, boolean broken) {

    String end() {
      return crlf ? "\r\n" : "\n";
    }
  }

  enum Clock {
    WRITTEN(1),
    SECONDS(1_000_000),
    FRACTION(1),
    MILLIS(1_000),
    MICROS(1);

    final long resolution;

    Clock(long resolution) {
      this.resolution = resolution;
    }

    String text(Event event) {
      return switch (this) {
        case WRITTEN -> DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time(event));
        case FRACTION -> BigDecimal.valueOf(event.micros, 6).toPlainString();
        default -> String.valueOf(event.micros / resolution);
      };
    }
  }

  enum Shape {
    CLF("broken", TraceFormat.CLF) {
      @Override
      String line(Event event, Clock clock) {
        return "%s - \"j doe\" [%s] \"GET /\"x\t HTTP/1.1\" 200 %d"
            .formatted(event.key, ACCESS_LOG.format(time(event)), event.permits);
      }
    },
    COMBINED("h - - [never] \"GET /\" 200 1 \"-\" \"-\"", TraceFormat.COMBINED) {
      @Override
      String line(Event event, Clock clock) {
        return CLF.line(event, clock) + " \"-\" \"Mozilla \"5.0\"\t(é; \\\"x\\\")\"";
      }
    },
    CSV_WITH_HEADER("\"never", TraceFormat.CSV) {
      @Override
      String line(Event event, Clock clock) {
        return "%s,\"%s\",%d".formatted(clock.text(event), event.key, event.permits);
      }

      @Override
      String head(String end) {
        return "At,who,bytes" + end;
      }
    },
    CSV("never,x,1", TraceFormat.CSV) {
      @Override
      String line(Event event, Clock clock) {
        return CSV_WITH_HEADER.line(event, clock);
      }
    },
    TSV("never\tx", TraceFormat.TSV) {
      @Override
      String line(Event event, Clock clock) {
        return clock.text(event) + "\t" + event.key + "\t" + event.permits + "\t\"";
      }
    },
    JSON_LINES("{\"at\":", TraceFormat.JSONL) {
      @Override
      String line(Event event, Clock clock) {
        String time = clock == Clock.WRITTEN ? quoted(clock.text(event)) : clock.text(event);
        return "{\"x\":[{}],\"at\":%s,\"who\":{\"name\":%s},\"bytes\":%d}"
            .formatted(time, quoted(event.key), event.permits);
      }
    },
    HAR("{\"startedDateTime\":\"never\"}", TraceFormat.HAR) {
      @Override
      String line(Event event, Clock clock) {
        return "{\"startedDateTime\":%s,\"request\":{\"url\":\"/\"},\"who\":{\"name\":%s},\"bytes\":%d}"
            .formatted(quoted(Clock.WRITTEN.text(event)), quoted(event.key), event.permits);
      }
    };

    final String brokenLine;
    final TraceFormat format;

    Shape(String brokenLine, TraceFormat format) {
      this.brokenLine = brokenLine;
      this.format = format;
    }

    abstract String line(Event event, Clock clock);

    String head(String end) {
      return "";
    }

    TraceReader reader() {
      TraceReader reader = TraceReader.of(format);
      return switch (this) {
        case CLF, COMBINED -> reader.withCostField("bytes");
        case CSV_WITH_HEADER ->
            reader.withTimeField("at").withKeyField("WHO").withCostField("bytes");
        case CSV, TSV -> reader.withTimeField("1").withKeyField("2").withCostField("3");
        case JSON_LINES ->
            reader.withTimeField("at").withKeyField("who.name").withCostField("bytes");
        case HAR -> reader.withKeyField("who.name").withCostField("bytes");
      };
    }

    /** To which unit this format tells the time. */
    long resolution(Clock clock) {
      return this == CLF || this == COMBINED || this == HAR ? 1 : clock.resolution;
    }

    boolean isJson() {
      return this == JSON_LINES || this == HAR;
    }
  }

  private static final DateTimeFormatter ACCESS_LOG =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss.SSSSSS Z", Locale.ROOT);

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void theEventsThatWereWrittenAreRead(
      @ForAll Shape shape,
      @ForAll Clock clock,
      @ForAll("events") @Size(min = 1, max = 30) List<Event> events,
      @ForAll("wrappings") Wrapping wrapping)
      throws IOException {
    byte[] file = file(shape, clock, events, wrapping);
    try (Trace trace = shape.reader().read("test", new ByteArrayInputStream(file))) {
      assertThat(read(trace)).isEqualTo(expected(shape, clock, events));
      assertThat(trace.facts().skipped()).isEqualTo(wrapping.broken ? events.size() : 0);
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void noBytesMakeAReaderThrowAnythingElse(
      @ForAll Shape shape,
      @ForAll Clock clock,
      @ForAll("events") @Size(min = 1, max = 5) List<Event> events,
      @ForAll("wrappings") Wrapping wrapping,
      @ForAll @Size(max = 9) byte[] noise,
      @ForAll @IntRange(max = 400) int at)
      throws IOException {
    byte[] file = file(shape, clock, events, wrapping);
    System.arraycopy(
        noise, 0, file, at % file.length, Math.min(noise.length, file.length - at % file.length));
    for (TraceFormat format : TraceFormat.values()) {
      try (Trace trace = TraceReader.of(format).read("test", new ByteArrayInputStream(file))) {
        assertThat(trace.facts().events()).isPositive();
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageStartingWith("test");
      }
    }
  }

  private static byte[] file(Shape shape, Clock clock, List<Event> events, Wrapping wrapping)
      throws IOException {
    StringBuilder text = new StringBuilder(wrapping.mark ? "\uFEFF" : "");
    text.append(shape.head(wrapping.end()));
    List<String> lines = new ArrayList<>();
    for (Event event : events) {
      lines.add(shape.line(event, clock));
      if (wrapping.broken) {
        lines.add(shape.brokenLine);
      }
    }
    if (shape == Shape.HAR) {
      text.append("{\"log\":{\"pages\":[{\"entries\":1}],\"entries\":[")
          .append(String.join("," + wrapping.end(), lines))
          .append("]}}");
    } else {
      text.append(String.join(wrapping.end(), lines));
    }
    // A byte order mark and JSON are UTF-8 by their definition.
    Charset charset =
        wrapping.latin1 && !wrapping.mark && !shape.isJson()
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    return packed(text.toString().getBytes(charset), wrapping.members);
  }

  private static byte[] packed(byte[] plain, int members) throws IOException {
    if (members == 0) {
      return plain;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < members; i++) {
      int from = plain.length * i / members;
      try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
        out.write(plain, from, plain.length * (i + 1) / members - from);
      }
    }
    return bytes.toByteArray();
  }

  private static List<String> expected(Shape shape, Clock clock, List<Event> events) {
    long resolution = shape.resolution(clock);
    return events.stream()
        .map(e -> new Event(e.micros / resolution * resolution, e.key, e.permits, 0))
        .sorted(Comparator.comparingLong(Event::micros))
        .map(e -> e.micros + " " + e.key + " " + e.permits)
        .toList();
  }

  private static List<String> read(Trace trace) {
    List<String> events = new ArrayList<>();
    Trace.Cursor cursor = trace.cursor();
    while (cursor.next()) {
      events.add(cursor.timeMicros() + " " + trace.keyName(cursor.key()) + " " + cursor.permits());
    }
    return events;
  }

  private static OffsetDateTime time(Event event) {
    return Lane.time(event.micros).atOffset(ZoneOffset.ofTotalSeconds(60 * event.zoneMinutes));
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** From 1973 on the units of epoch times cannot be mistaken. */
  @Provide
  Arbitrary<List<Event>> events() {
    Arbitrary<String> keys =
        Arbitraries.oneOf(
            Arbitraries.of("10.0.0.1", "2001:db8::1", "::1", "fe80::1%eth0", "café", "a.b-c_d"),
            Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('é', ':', '.')
                .ofMinLength(1)
                .ofMaxLength(8));
    return Combinators.combine(
            Arbitraries.longs().between(100_000_000_000_000L, 4_000_000_000_000_000L),
            keys,
            Arbitraries.longs().between(1, 1_000_000),
            Arbitraries.integers().between(-18 * 60, 18 * 60))
        .as(Event::new)
        .list();
  }

  @Provide
  Arbitrary<Wrapping> wrappings() {
    Arbitrary<Boolean> either = Arbitraries.of(true, false);
    return Combinators.combine(either, either, either, Arbitraries.integers().between(0, 3), either)
        .as(Wrapping::new);
  }
}
