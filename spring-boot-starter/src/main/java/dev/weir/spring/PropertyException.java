package dev.weir.spring;

import org.jspecify.annotations.Nullable;

/** A property under {@code weir} that cannot be kept; the message names it, its value and why. */
final class PropertyException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  PropertyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
