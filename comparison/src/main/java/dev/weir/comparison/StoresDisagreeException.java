package dev.weir.comparison;

/** Thrown when two stores decide one request differently; the message shows the event. */
public class StoresDisagreeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the algorithm, the event and both decisions
   */
  public StoresDisagreeException(String message) {
    super(message);
  }
}
