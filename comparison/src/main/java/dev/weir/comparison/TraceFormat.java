package dev.weir.comparison;

/** The format of the input that a trace is read from. */
public enum TraceFormat {
  /** Found out from the first lines. */
  AUTO,
  /** The common log format: {@code host ident user [time] "request" status bytes}. */
  CLF,
  /** The combined log format: the common one, then the referrer and the user agent in quotes. */
  COMBINED,
  /** Values with commas in between and double quotes around them, one record per line. */
  CSV,
  /** Values with tabs in between, one record per line. */
  TSV,
  /** One JSON object per line. */
  JSONL,
  /** An HTTP archive, as browsers save it. */
  HAR
}
