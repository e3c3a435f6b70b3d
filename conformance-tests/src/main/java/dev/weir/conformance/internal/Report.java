package dev.weir.conformance.internal;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the report on a violation. */
final class Report {

  private static final int WIDTH = 100;

  private Report() {}

  /** The number under which an event of a trace is shown. */
  static int line(Trace trace, int index) {
    return trace.get(index).line();
  }

  /** How many numbered lines the trace of a finding has. */
  static int length(Finding finding) {
    Trace trace = finding.trace();
    Event failure = trace.failure();
    return failure != null ? failure.line() : trace.get(trace.size() - 1).line();
  }

  /** The report on a finding. */
  static String on(Case<?> c, Rule rule, Scenario scenario, Finding finding) {
    List<String> lines = new ArrayList<>();
    lines.add("Rule " + rule.id() + " is violated: " + rule.statement());
    lines.add("");
    lines.add("  limiter   " + c.subject().name());
    lines.add("  policy    " + c.policy());
    lines.add("  start     " + scenario.start());
    lines.add("");
    table(c, finding.trace(), finding.wrong(), lines);
    lines.add("");
    int line = finding.wrong().line();
    wrap("  expected  ", "line " + line + ": " + finding.expected(), lines);
    wrap("  actual    ", "line " + line + ": " + finding.actual(), lines);
    Trace comparison = finding.comparison();
    if (comparison != null) {
      lines.add("");
      wrap("  below     ", finding.title(), lines);
      table(c, comparison, null, lines);
    }
    lines.add("");
    wrap("  hint      ", rule.hint(), lines);
    lines.add("  replay    replay(" + literal(replay(c, rule, scenario)) + ");");
    lines.add("  read      docs/rules.md#" + rule.anchor());
    return String.join("\n", lines);
  }

  /** What an author pastes to see the violation again. */
  static String replay(Case<?> c, Rule rule, Scenario scenario) {
    return rule.id() + " | " + c.policy() + " | " + scenario;
  }

  private static String literal(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static void table(Case<?> c, Trace trace, @Nullable Event wrong, List<String> lines) {
    List<Event> events = new ArrayList<>(trace.events());
    if (trace.failure() != null) {
      events.add(trace.failure());
    }
    Map<Integer, List<Event>> byLine = new TreeMap<>();
    events.forEach(e -> byLine.computeIfAbsent(e.line(), line -> new ArrayList<>()).add(e));
    boolean stepped = events.stream().anyMatch(e -> e.clock() != e.start() + start(trace));
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"#", "time", stepped ? "clock" : "", "step", "decision"});
    byLine.values().forEach(repeated -> rows.add(row(c, trace, repeated, stepped, wrong)));
    int[] widths = new int[5];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        if (widths[i] > 0) {
          line.append("  ").append(row[i]).append(" ".repeat(widths[i] - row[i].length()));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
  }

  private static long start(Trace trace) {
    return Times.micros(trace.start());
  }

  @SuppressWarnings("ReferenceEquality") // this very event, not one like it
  private static String[] row(
      Case<?> c, Trace trace, List<Event> repeated, boolean stepped, @Nullable Event wrong) {
    Event event =
        wrong != null && repeated.contains(wrong) ? wrong : repeated.get(repeated.size() - 1);
    String step = event.step().toString();
    if (step.length() > WIDTH) {
      step = step.substring(0, WIDTH - 3) + "...";
    }
    return new String[] {
      String.valueOf(event.line()),
      offset(event.start()),
      stepped ? offset(event.clock() - start(trace)) : "",
      (event.group() >= 0 ? "together: " : "")
          + step
          + (repeated.size() > 1 ? " (" + repeated.size() + " times)" : ""),
      c.words(event) + (event == wrong ? "   <-- wrong" : "")
    };
  }

  private static String offset(long micros) {
    return (micros < 0 ? "-" : "+") + Case.words(Times.duration(Math.abs(micros)));
  }

  private static void wrap(String label, String text, List<String> lines) {
    StringBuilder line = new StringBuilder(label);
    String indent = " ".repeat(label.length());
    boolean empty = true;
    for (String word : text.split(" ", -1)) {
      if (!empty && line.length() + word.length() >= WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
  }
}
