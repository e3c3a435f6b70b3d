package dev.weir.redis;

import dev.weir.Decision;
import java.util.concurrent.CompletableFuture;

/**
 * One request on its way, the future of its decision. Whoever stops waiting for it completes it,
 * and by that takes it out of any line.
 */
final class Request extends CompletableFuture<Decision> {

  /** Microseconds since 1970 as the script reads them, or empty for the server's time. */
  final String now;

  final long permits;

  Request(String now, long permits) {
    this.now = now;
    this.permits = permits;
  }
}
