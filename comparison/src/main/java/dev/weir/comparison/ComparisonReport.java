package dev.weir.comparison;

import java.util.List;
import java.util.Objects;

/** What a comparison found, with what it takes to draw it. Immutable. */
public final class ComparisonReport {

  private final ComparisonResult result;
  private final List<Details> details;

  ComparisonReport(ComparisonResult result, List<Details> details) {
    this.result = result;
    this.details = List.copyOf(details);
  }

  /**
   * Returns the figures.
   *
   * @return what was found
   */
  public ComparisonResult result() {
    return result;
  }

  /**
   * Writes the report as a page: one file with inline drawings and styles, without scripts or
   * anything from outside, below 1 MiB for any trace.
   *
   * @param command the command line that made it, to be quoted in the page
   * @return the page
   * @throws NullPointerException if {@code command} is null
   */
  public String toHtml(String command) {
    return HtmlReport.write(result, details, Objects.requireNonNull(command, "command"));
  }

  /**
   * Draws the worst window of each algorithm as a picture for another page: one SVG file with its
   * own ground and styles, light or dark as its reader prefers.
   *
   * @return the picture
   */
  public String toSvg() {
    return Picture.write(result, details);
  }
}
