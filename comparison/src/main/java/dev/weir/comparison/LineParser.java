package dev.weir.comparison;

import org.jspecify.annotations.Nullable;

/** A parser of one format with a record on every line. */
interface LineParser {

  /** What there is to say of a line that is no event, but no fault either, such as a header. */
  String NOT_AN_EVENT = "";

  /** Reads a line into the event; returns what is wrong with it, or null. */
  @Nullable String parse(byte[] buffer, int from, int to, RawEvent event);
}
