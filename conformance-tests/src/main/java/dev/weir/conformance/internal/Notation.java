package dev.weir.conformance.internal;

import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text form of scenarios. */
public final class Notation {

  private static final Pattern SCENARIO =
      Pattern.compile("\\s*from\\s+(\\S+Z)\\s*:(.*)", Pattern.DOTALL);
  private static final Pattern TOKEN =
      Pattern.compile("\\s*(\"(?:[^\"\\\\]++|\\\\.)*+\"|[;(),]|[^\\s;(),\"]+)");
  private static final Pattern BARE_KEY = Pattern.compile("[A-Za-z0-9_.:-]+");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,18})(us|ms|s|m|h|d)");

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  private Notation(String text) {
    this.text = text;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.length() && matcher.find(end) && matcher.start() == end) {
      tokens.add(matcher.group(1));
      end = matcher.end();
    }
    if (!text.substring(end).isBlank()) {
      throw new IllegalArgumentException("cannot read '" + text.substring(end) + "'");
    }
  }

  /** Reads a scenario. */
  public static Scenario parse(String text) {
    Matcher matcher = SCENARIO.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "scenario is '" + text + "', must be like 'from 2026-01-01T00:00:00Z: acquire a 1'");
    }
    Instant start;
    try {
      start = Instant.parse(matcher.group(1));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("start is '" + matcher.group(1) + "', must be a time", e);
    }
    Notation rest = new Notation(matcher.group(2));
    List<Step> steps = rest.tokens.isEmpty() ? List.of() : rest.steps();
    if (rest.next < rest.tokens.size()) {
      throw rest.unexpected("';' or the end");
    }
    return new Scenario(start, steps);
  }

  /** Writes a key: bare where that can be read back, else quoted. */
  public static String key(@Nullable String key) {
    if (key == null) {
      return "null";
    }
    if (BARE_KEY.matcher(key).matches() && !key.equals("null")) {
      return key;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Writes a duration of whole microseconds. */
  public static String duration(Duration duration) {
    return Micros.text(duration);
  }

  /** Writes steps. */
  public static String join(List<? extends Step> steps, String separator) {
    return steps.stream().map(Step::toString).collect(Collectors.joining(separator));
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    do {
      steps.add(step());
    } while (accept(";"));
    return steps;
  }

  private Step step() {
    String word = take("a step");
    return switch (word) {
      case "acquire" -> acquire();
      case "again" -> new Step.Again();
      case "peek" -> new Step.Peek(key(), number());
      case "reset" -> new Step.Reset(key());
      case "advance" -> accept("to") ? advanceTo() : new Step.Advance(duration(take("a duration")));
      case "back" -> new Step.StepBack(duration(take("a duration")));
      case "forward" -> new Step.StepForward(duration(take("a duration")));
      case "limit" -> new Step.Limit(number());
      case "together" -> together();
      case "store" -> new Step.Store(change());
      case "count" -> new Step.CountKeys();
      case "repeat" -> {
        int times = Math.toIntExact(number());
        expect("(");
        List<Step> steps = steps();
        expect(")");
        yield new Step.Repeat(times, steps);
      }
      default -> {
        next--;
        throw unexpected("a step");
      }
    };
  }

  private Step acquire() {
    String key = key();
    if (next < tokens.size() && tokens.get(next).startsWith("rest")) {
      String rest = take("rest");
      if (key == null || !rest.matches("rest(\\+\\d{1,18})?")) {
        next--;
        throw unexpected("rest or rest+NUMBER");
      }
      return new Step.AcquireRest(key, rest.equals("rest") ? 0 : Long.parseLong(rest.substring(5)));
    }
    return new Step.Acquire(key, number(), accept("async"));
  }

  private Step advanceTo() {
    String target = take("a moment");
    for (Step.Moment moment : Step.Moment.values()) {
      if (target.startsWith(moment.word())) {
        String offset = target.substring(moment.word().length());
        if (offset.isEmpty()) {
          return new Step.AdvanceTo(moment, Duration.ZERO);
        }
        Duration distance = duration(offset.substring(1));
        return new Step.AdvanceTo(moment, offset.charAt(0) == '-' ? distance.negated() : distance);
      }
    }
    next--;
    throw unexpected("retry, reset or border");
  }

  private Step.Store.Change change() {
    String word = take("a change of the store");
    for (Step.Store.Change change : Step.Store.Change.values()) {
      if (change.word().equals(word)) {
        return change;
      }
    }
    next--;
    throw unexpected("cut, lose-reply or restore");
  }

  private Step together() {
    expect("(");
    List<Step.Acquire> requests = new ArrayList<>();
    do {
      if (step() instanceof Step.Acquire acquire) {
        requests.add(acquire);
      } else {
        next--;
        throw unexpected("an acquire with a number of permits");
      }
    } while (accept(","));
    expect(")");
    return new Step.Together(requests);
  }

  private @Nullable String key() {
    String token = take("a key");
    if (token.equals("null")) {
      return null;
    }
    if (!token.startsWith("\"")) {
      return token;
    }
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < token.length() - 1; i++) {
      char c = token.charAt(i);
      if (c != '\\') {
        key.append(c);
      } else if (token.charAt(++i) == 'u') {
        key.append((char) Integer.parseInt(token.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        key.append(token.charAt(i));
      }
    }
    return key.toString();
  }

  private long number() {
    String token = take("a number");
    try {
      return Long.parseLong(token);
    } catch (NumberFormatException e) {
      next--;
      throw unexpected("a number");
    }
  }

  private static Duration duration(String token) {
    Matcher matcher = DURATION.matcher(token);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "duration is '" + token + "', must be a whole number with us, ms, s, m, h or d");
    }
    ChronoUnit unit =
        switch (matcher.group(2)) {
          case "us" -> ChronoUnit.MICROS;
          case "ms" -> ChronoUnit.MILLIS;
          case "s" -> ChronoUnit.SECONDS;
          case "m" -> ChronoUnit.MINUTES;
          case "h" -> ChronoUnit.HOURS;
          default -> ChronoUnit.DAYS;
        };
    return Duration.of(Long.parseLong(matcher.group(1)), unit);
  }

  private String take(String what) {
    if (next == tokens.size()) {
      throw unexpected(what);
    }
    return tokens.get(next++);
  }

  private boolean accept(String token) {
    if (next < tokens.size() && tokens.get(next).equals(token)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String token) {
    if (!accept(token)) {
      throw unexpected("'" + token + "'");
    }
  }

  private IllegalArgumentException unexpected(String expected) {
    return new IllegalArgumentException(
        "in '"
            + text.strip()
            + "', "
            + (next < tokens.size()
                ? "token " + (next + 1) + " is '" + tokens.get(next) + "'"
                : "the end")
            + ", expected "
            + expected);
  }
}
