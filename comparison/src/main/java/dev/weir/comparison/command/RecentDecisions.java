package dev.weir.comparison.command;

import dev.weir.Decision;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.servlet.RateLimitListener;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last decisions of a filter, of all clients together. Safe for use by any number of threads.
 */
final class RecentDecisions implements RateLimitListener {

  private static final int KEPT = 1_000;
  private static final int WIDTH = 60;

  private final InstantSource clock;
  private final Deque<Entry> newestFirst = new ArrayDeque<>();
  private long number;

  RecentDecisions(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * One decision.
   *
   * @param decision null if the store gave no answer
   */
  record Entry(long number, Instant at, String key, String request, @Nullable Decision decision) {}

  @Override
  public void onDecision(HttpServletRequest request, String policy, String key, Decision decision) {
    add(request, key, decision);
  }

  @Override
  public void onUnavailable(
      HttpServletRequest request,
      String policy,
      String key,
      RateLimiterUnavailableException cause) {
    add(request, key, null);
  }

  private synchronized void add(
      HttpServletRequest request, String key, @Nullable Decision decision) {
    String text = Text.cut(request.getMethod() + " " + request.getRequestURI(), WIDTH);
    newestFirst.addFirst(new Entry(++number, clock.instant(), key, text, decision));
    if (newestFirst.size() > KEPT) {
      newestFirst.removeLast();
    }
  }

  /** Returns a client's decisions, the newest first, so many at most. */
  synchronized List<Entry> of(String key, int most) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : newestFirst) {
      if (found.size() == most) {
        break;
      }
      if (entry.key().equals(key)) {
        found.add(entry);
      }
    }
    return found;
  }
}
