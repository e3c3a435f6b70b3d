package dev.weir.comparison;

import java.io.IOException;

/** Thrown when an input cannot be read as a trace; the message says what, where and what to do. */
public class TraceFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what cannot be read, where, and what to do
   */
  public TraceFormatException(String message) {
    super(message);
  }
}
