package dev.weir.comparison;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.internal.Micros;
import java.math.BigDecimal;
import java.util.OptionalDouble;

/**
 * The JSON form of a comparison, and what other documents share: names and order are the schema.
 */
final class ComparisonJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ComparisonJson() {}

  static String write(ComparisonResult comparison, String command) {
    ObjectNode document = document();
    document.put("schema", "weir-comparison/1").put("command", command);
    trace(document.putObject("trace"), comparison.trace());
    ObjectNode limit = document.putObject("limit").put("limit", comparison.quota().limit());
    putMillis(limit, "window_ms", Micros.of(comparison.quota().window()));
    comparison.quota().burst().ifPresent(burst -> limit.put("burst", burst));
    ArrayNode results = document.putArray("results");
    for (Result result : comparison.results()) {
      result(results.addObject(), comparison, result);
    }
    return text(document);
  }

  static ObjectNode document() {
    return MAPPER.createObjectNode();
  }

  static String text(ObjectNode document) {
    try {
      return MAPPER.writer(printer()).writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values can always be written", e);
    }
  }

  static void trace(ObjectNode node, TraceFacts trace) {
    node.put("name", trace.name())
        .put("events", trace.events())
        .put("keys", trace.keys())
        .put("first", trace.first().toString())
        .put("last", trace.last().toString())
        .put("skipped", trace.skipped())
        .put("out_of_order", trace.outOfOrder())
        .put("sha256", trace.sha256());
    if (!trace.generator().isEmpty()) {
      node.put("generator", trace.generator());
    }
  }

  private static void result(ObjectNode node, ComparisonResult comparison, Result result) {
    node.put("algorithm", result.algorithm())
        .put("store", result.store())
        .put("offered", result.offered())
        .put("admitted", result.admitted())
        .put("denied", result.denied());
    Result.WorstWindow worst = result.worstWindow();
    if (worst == null) {
      node.putNull("worst_window");
    } else {
      node.putObject("worst_window")
          .put("count", worst.count())
          .put("ratio", comparison.overshoot(result))
          .put("key", worst.key())
          .put("from", worst.from().toString())
          .put("to", worst.to().toString());
    }
    node.put("over_admissions", result.overAdmissions())
        .put("false_denials", result.falseDenials());
    Result.RetryAfter told = result.retryAfter();
    ObjectNode retryAfter = node.putObject("retry_after");
    put(retryAfter, "honest_percent", told.honestPercent());
    put(retryAfter, "tight_percent", told.tightPercent());
    retryAfter.put("mean_told_ms", told.told() == 0 ? null : (Long) told.meanToldMillis());
    Result.StateBytes bytes = result.stateBytes();
    if (bytes == null) {
      node.putNull("state_bytes_per_key");
    } else {
      node.putObject("state_bytes_per_key").put("mean", bytes.mean()).put("max", bytes.max());
    }
    node.put("commands_per_decision", result.commandsPerDecision());
    Result.Persistence persistence = result.persistence();
    if (persistence != null) {
      ObjectNode clients =
          node.putObject("clients")
              .put("mode", persistence.clients().toString())
              .put("requests", persistence.requests())
              .put("attempts", persistence.attempts())
              .put("admitted", persistence.admitted())
              .put("gave_up", persistence.gaveUp());
      put(clients, "attempts_per_success", persistence.attemptsPerSuccess());
      clients
          .put("mean_wait_ms", persistence.meanWaitMillis())
          .put("longest_wait_ms", persistence.longestWaitMillis());
    }
  }

  private static void put(ObjectNode node, String name, OptionalDouble value) {
    if (value.isPresent()) {
      node.put(name, value.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  static void putMillis(ObjectNode node, String name, long micros) {
    if (micros % 1_000 == 0) {
      node.put(name, micros / 1_000);
    } else {
      node.put(name, BigDecimal.valueOf(micros, 3));
    }
  }

  /** Two spaces and line feeds, whatever the platform. */
  private static DefaultPrettyPrinter printer() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }
}
