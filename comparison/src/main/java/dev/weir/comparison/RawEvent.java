package dev.weir.comparison;

import org.jspecify.annotations.Nullable;

/** One event as a parser found it: a time, permits, and the texts or where in a buffer they are. */
final class RawEvent {

  long timeMicros;
  long permits;
  private byte[] buffer = new byte[0];
  private int keyFrom;
  private int keyTo;
  private int requestFrom;
  private int requestTo;
  private @Nullable String key;
  private @Nullable String request;

  void key(byte[] buffer, int from, int to) {
    this.buffer = buffer;
    keyFrom = from;
    keyTo = to;
    key = null;
  }

  void key(String text) {
    key = text;
  }

  void request(byte[] buffer, int from, int to) {
    this.buffer = buffer;
    requestFrom = from;
    requestTo = to;
    request = null;
  }

  void request(String text) {
    request = text;
  }

  int keyIn(KeyTable keys) {
    return key == null ? keys.index(buffer, keyFrom, keyTo) : keys.index(key);
  }

  String key() {
    return key == null ? KeyTable.decode(buffer, keyFrom, keyTo) : key;
  }

  String request() {
    return request == null ? KeyTable.decode(buffer, requestFrom, requestTo) : request;
  }
}
