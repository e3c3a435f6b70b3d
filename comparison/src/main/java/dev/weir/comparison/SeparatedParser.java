package dev.weir.comparison;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parser of values with commas or tabs in between.
 *
 * <p>The first line is a header unless one of its values is a time; then columns have numbers for
 * names, from 1, and without other word the time is the first column that is one, and the key the
 * first of the others.
 */
final class SeparatedParser implements LineParser {

  private static final ObjectReader COMMAS = reader(CsvSchema.emptySchema());
  private static final ObjectReader TABS =
      reader(CsvSchema.emptySchema().withColumnSeparator('\t').withoutQuoteChar());

  private final ObjectReader reader;
  private final TimeParser times;
  private FieldRules rules;
  private @Nullable Map<String, Integer> columns;

  SeparatedParser(boolean tabs, FieldRules rules) {
    this.reader = tabs ? TABS : COMMAS;
    this.rules = rules;
    this.times = new TimeParser(rules.year());
  }

  private static ObjectReader reader(CsvSchema schema) {
    return new CsvMapper().readerFor(String[].class).with(schema);
  }

  @Override
  public @Nullable String parse(byte[] buffer, int from, int to, RawEvent event) {
    String[] values;
    try {
      values = reader.readValue(KeyTable.decode(buffer, from, to));
    } catch (JsonProcessingException e) {
      return "the quotes do not match";
    }
    Map<String, Integer> known = columns;
    if (known == null) {
      known = new HashMap<>();
      columns = known;
      if (isHeader(values)) {
        for (int i = 0; i < values.length; i++) {
          known.putIfAbsent(values[i].strip().toLowerCase(Locale.ROOT), i);
        }
        return NOT_AN_EVENT;
      }
    }
    Map<String, Integer> names = known;
    return rules.apply(name -> value(values, names, name), times, event);
  }

  private boolean isHeader(String[] values) {
    int time = -1;
    TimeParser trial = new TimeParser(2000);
    for (int i = values.length - 1; i >= 0; i--) {
      time = trial.parse(values[i]) == null ? i : time;
    }
    if (time < 0) {
      return true;
    }
    String key = String.valueOf(time == 0 ? 2 : 1);
    rules =
        new FieldRules(
            rules.timeField() == null ? String.valueOf(time + 1) : rules.timeField(),
            rules.keyField() == null && !rules.oneKey() ? key : rules.keyField(),
            rules.oneKey(),
            rules.costField(),
            rules.year());
    return false;
  }

  private static @Nullable String value(
      String[] values, Map<String, Integer> columns, String name) {
    Integer column = columns.get(name.toLowerCase(Locale.ROOT));
    if (column == null) {
      column = name.matches("[1-9]\\d{0,3}") ? Integer.parseInt(name) - 1 : values.length;
    }
    return column < values.length ? values[column].strip() : null;
  }
}
