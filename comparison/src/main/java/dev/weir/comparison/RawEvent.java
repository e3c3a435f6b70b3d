package dev.weir.comparison;

/** One event as a parser found it: a time, permits, and where in a buffer the texts stand. */
final class RawEvent {

  long timeMicros;
  long permits = 1;
  byte[] buffer = new byte[0];
  int keyFrom;
  int keyTo;
  int requestFrom;
  int requestTo;

  String key() {
    return KeyTable.decode(buffer, keyFrom, keyTo);
  }

  String request() {
    return KeyTable.decode(buffer, requestFrom, requestTo);
  }
}
