package dev.weir.comparison;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The parsers of JSON lines and of HTTP archives. A field inside another one is {@code a.b}. */
final class JsonParsers {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final ObjectMapper PARTS = new ObjectMapper();

  private JsonParsers() {}

  /** Reads one JSON object per line. */
  static LineParser lines(FieldRules rules) {
    TimeParser times = new TimeParser(rules.year());
    return (buffer, from, to, event) -> {
      JsonNode record;
      try {
        record = MAPPER.readTree(KeyTable.decode(buffer, from, to));
      } catch (JsonProcessingException e) {
        return "it is not JSON";
      }
      return record.isObject()
          ? rules.apply(name -> field(record, name), times, event)
          : "it is not a JSON object";
    };
  }

  /** What takes the entries of an HTTP archive: a fault and an event, of which one is meant. */
  interface EntrySink {
    void accept(long number, @Nullable String fault, RawEvent event);
  }

  /**
   * Reads the entries of an HTTP archive. The time is {@code startedDateTime}, and the key, unless
   * something else is named, the host that is asked.
   */
  static void archive(String name, InputStream in, FieldRules rules, EntrySink sink)
      throws IOException {
    TimeParser times = new TimeParser(rules.year());
    RawEvent event = new RawEvent();
    long number = 0;
    try (JsonParser parser = PARTS.createParser(in)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      if (!moveTo(parser, "log") || !moveTo(parser, "entries")) {
        throw new TraceFormatException(
            name + ": there is no log with entries in it, as an HTTP archive has");
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        ObjectNode entry = PARTS.readTree(parser);
        entry.put("host", host(entry.at("/request/url").asText()));
        String fault = rules.apply(field -> field(entry, field), times, event);
        event.request(requestLine(entry));
        sink.accept(++number, fault, event);
      }
    } catch (JsonProcessingException e) {
      throw new TraceFormatException(
          name + ": it is not JSON after entry " + number + " (" + e.getOriginalMessage() + ")");
    }
  }

  private static boolean moveTo(JsonParser parser, String field) throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean found = parser.currentName().equals(field);
      parser.nextToken();
      if (found) {
        return parser.currentToken().isStructStart();
      }
      parser.skipChildren();
    }
    return false;
  }

  private static String requestLine(ObjectNode entry) {
    return entry.at("/request/method").asText() + " " + entry.at("/request/url").asText();
  }

  private static String host(String url) {
    try {
      String host = new URI(url).getHost();
      return host == null ? "" : host;
    } catch (URISyntaxException e) {
      return "";
    }
  }

  private static @Nullable String field(JsonNode record, String name) {
    JsonNode node = record.get(name);
    if (node == null) {
      node = record;
      for (String part : name.split("\\.", -1)) {
        node = node.path(part);
      }
    }
    if (node.isMissingNode() || node.isNull() || node.isContainerNode()) {
      return null;
    }
    return node.isNumber() ? node.decimalValue().toPlainString() : node.asText();
  }
}
