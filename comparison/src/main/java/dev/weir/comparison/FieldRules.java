package dev.weir.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the named fields of a record become an event.
 *
 * @param timeField the field of the time, or null for the first usual one
 * @param keyField the field of the key, or null for the first usual one
 * @param oneKey whether all records count for one key
 * @param costField the field of the permits, or null for 1
 * @param year the year of times without one, or null to refuse them
 */
record FieldRules(
    @Nullable String timeField,
    @Nullable String keyField,
    boolean oneKey,
    @Nullable String costField,
    @Nullable Integer year) {

  static final FieldRules USUAL = new FieldRules(null, null, false, null, null);
  static final String ONE_KEY = "all";
  static final List<String> USUAL_TIMES =
      List.of(
          "time", "timestamp", "@timestamp", "ts", "datetime", "date", "startedDateTime", "start");
  static final List<String> USUAL_KEYS =
      List.of(
          "ip",
          "client_ip",
          "clientip",
          "remote_addr",
          "remote_ip",
          "client",
          "host",
          "key",
          "user");
  private static final List<String> USUAL_REQUESTS =
      List.of("request", "url", "uri", "path", "message");

  /** The fields of one record. */
  interface Fields {

    /** Returns a field as text, or null if the record lacks it. */
    @Nullable String field(String name);
  }

  /** Reads time, key, permits and request; returns what is wrong, or null. */
  @Nullable String apply(Fields record, TimeParser times, RawEvent event) {
    String time = first(record, timeField, USUAL_TIMES);
    if (time == null) {
      return missing("time", timeField, "--time-field");
    }
    String fault = times.parse(time);
    if (fault != null) {
      return fault;
    }
    event.timeMicros = times.micros();
    String request = first(record, null, USUAL_REQUESTS);
    event.request(request == null ? "" : request);
    if (!oneKey) {
      String key = first(record, keyField, USUAL_KEYS);
      if (key == null) {
        return missing("key", keyField, "--key-field");
      }
      event.key(key);
    }
    return applyKeyAndCost(record, event);
  }

  /** Reads what was asked for by name, over what the format has by itself. */
  @Nullable String applyKeyAndCost(Fields record, RawEvent event) {
    if (oneKey) {
      event.key(ONE_KEY);
    } else if (keyField != null) {
      String key = record.field(keyField);
      if (key == null || key.isEmpty()) {
        return missing("key", keyField, "--key-field");
      }
      event.key(key);
    }
    event.permits = 1;
    if (costField != null) {
      String cost = record.field(costField);
      long permits = cost == null ? 0 : permits(cost.strip());
      if (permits < 1) {
        return cost == null
            ? "no field '" + costField + "', which the cost is to come from"
            : "the cost '" + costField + "' is not a whole number of at least 1";
      }
      event.permits = permits;
    }
    return null;
  }

  private static long permits(String text) {
    if (text.isEmpty() || text.length() > 18) {
      return 0;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      value = 10 * value + digit;
    }
    return value;
  }

  private static @Nullable String first(Fields record, @Nullable String named, List<String> usual) {
    for (String name : named == null ? usual : List.of(named)) {
      String value = record.field(name);
      if (value != null && !value.isEmpty()) {
        return value;
      }
    }
    return null;
  }

  private static String missing(String what, @Nullable String field, String option) {
    return field == null
        ? "no field that is usually the " + what + ", name one by " + option
        : "no field '" + field + "', which the " + what + " is to come from";
  }
}
