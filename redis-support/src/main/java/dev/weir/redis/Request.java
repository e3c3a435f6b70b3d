package dev.weir.redis;

import dev.weir.Decision;
import java.util.concurrent.CompletableFuture;

/**
 * One request on its way, the future of its decision. Whoever stops waiting for it completes it,
 * and by that takes it out of any line.
 */
final class Request extends CompletableFuture<Decision> {

  /** The Redis key of the state. */
  final String name;

  /** Microseconds since 1970 as the script reads them, or empty for the server's time. */
  final String now;

  final long permits;

  Request(String name, String now, long permits) {
    this.name = name;
    this.now = now;
    this.permits = permits;
  }
}
