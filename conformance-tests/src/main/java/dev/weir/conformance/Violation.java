package dev.weir.conformance;

/**
 * Thrown when a limiter violates a rule; the message is the report.
 *
 * <p>The scenario is the shortest one that the suite found for the violation.
 */
public final class Violation extends AssertionError {

  private static final long serialVersionUID = 1L;

  /** The rule that is violated. */
  private final Rule rule;

  private final transient Scenario scenario;

  /** The steps of the shrunk trace. */
  private final int length;

  /**
   * Creates the error.
   *
   * @param rule the violated rule
   * @param scenario what the limiter was put through
   * @param length how many numbered lines the trace in the report has
   * @param report the report
   */
  public Violation(Rule rule, Scenario scenario, int length, String report) {
    super(report);
    this.rule = rule;
    this.scenario = scenario;
    this.length = length;
  }

  /**
   * Returns the violated rule.
   *
   * @return the rule
   */
  public Rule rule() {
    return rule;
  }

  /**
   * Returns what the limiter was put through.
   *
   * @return the scenario
   */
  public Scenario scenario() {
    return scenario;
  }

  /**
   * Returns how many numbered lines the trace in the report has: requests and steps of the clock.
   *
   * @return the number of lines, at least 1
   */
  public int length() {
    return length;
  }
}
