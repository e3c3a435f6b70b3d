package dev.weir.conformance.internal;

import dev.weir.conformance.Rule;
import dev.weir.conformance.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Writes the report on a violation. */
final class Report {

  private static final int WIDTH = 100;
  private static final int MOST_LINES = 40;

  private Report() {}

  /** The number under which an event of a trace is shown. */
  static int line(Trace trace, int index) {
    return index + 1;
  }

  /** How many numbered lines the trace of a finding has. */
  static int length(Finding finding) {
    return finding.trace().size() + (finding.trace().failure() == null ? 0 : 1);
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
    table(c, finding.trace(), finding.at(), lines);
    lines.add("");
    int line = finding.at() + 1;
    wrap("  expected  ", "line " + line + ": " + finding.expected(), lines);
    wrap("  actual    ", "line " + line + ": " + finding.actual(), lines);
    Trace comparison = finding.comparison();
    if (comparison != null) {
      lines.add("");
      wrap("  below     ", finding.title(), lines);
      table(c, comparison, -1, lines);
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

  private static void table(Case<?> c, Trace trace, int wrong, List<String> lines) {
    List<String[]> rows = new ArrayList<>();
    boolean stepped = trace.events().stream().anyMatch(e -> e.era() > 0);
    rows.add(new String[] {"#", "time", stepped ? "clock" : "", "step", "decision"});
    long start = Times.micros(trace.start());
    for (int i = 0; i < trace.size(); i++) {
      rows.add(row(c, trace.get(i), i, start, stepped, i == wrong));
    }
    if (trace.failure() != null) {
      rows.add(row(c, trace.failure(), trace.size(), start, stepped, trace.size() == wrong));
    }
    int[] widths = new int[5];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    int skipped = Math.max(0, rows.size() - MOST_LINES);
    for (int r = 0; r < rows.size(); r++) {
      if (skipped > 0 && r > MOST_LINES / 2 && r <= MOST_LINES / 2 + skipped) {
        if (r == MOST_LINES / 2 + 1) {
          lines.add("  ... " + skipped + " more ...");
        }
        continue;
      }
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        if (widths[i] > 0) {
          line.append("  ").append(rows.get(r)[i]);
          line.append(" ".repeat(widths[i] - rows.get(r)[i].length()));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
  }

  private static String[] row(
      Case<?> c, Event event, int index, long start, boolean stepped, boolean wrong) {
    String step = event.step().toString();
    if (step.length() > WIDTH) {
      step = step.substring(0, WIDTH - 3) + "...";
    }
    return new String[] {
      String.valueOf(index + 1),
      offset(event.start()),
      stepped ? offset(event.clock() - start) : "",
      (event.group() >= 0 ? "together: " : "") + step,
      c.words(event) + (wrong ? "   <-- wrong" : "")
    };
  }

  private static String offset(long micros) {
    return (micros < 0 ? "-" : "+") + Case.words(Times.duration(Math.abs(micros)));
  }

  private static void wrap(String label, String text, List<String> lines) {
    StringBuilder line = new StringBuilder(label);
    String indent = " ".repeat(label.length());
    boolean empty = true;
    for (String word : text.split(" ")) {
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
