package dev.weir.comparison;

/** The format of the file that a trace is read from. */
public enum TraceFormat {
  /** Found out from the first lines. */
  AUTO,
  /** The common log format: {@code host ident user [time] "request" status bytes}. */
  CLF,
  /** The combined log format: the common one, then the referrer and the user agent in quotes. */
  COMBINED
}
