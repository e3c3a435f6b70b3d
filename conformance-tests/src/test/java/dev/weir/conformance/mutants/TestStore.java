package dev.weir.conformance.mutants;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.conformance.StoreFailures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store of states with an expiry, which can be made to fail. */
final class TestStore implements StoreFailures {

  /** A state, and when it has lost its meaning. */
  record Entry(Object state, long until) {}

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private boolean cut;
  private boolean losesNext;

  @Nullable Entry get(String key) {
    return entries.get(key);
  }

  void put(String key, Object state, long until) {
    entries.put(key, new Entry(state, until));
  }

  void remove(String key) {
    entries.remove(key);
  }

  long count(long now) {
    entries.values().removeIf(entry -> entry.until() <= now);
    return entries.size();
  }

  <T> T call(Supplier<T> work) {
    if (cut) {
      throw new RateLimiterUnavailableException("the store is cut off", null);
    }
    T answer = work.get();
    if (losesNext) {
      losesNext = false;
      throw new RateLimiterUnavailableException("the reply is lost", null);
    }
    return answer;
  }

  @Override
  public void cut() {
    cut = true;
  }

  @Override
  public void loseNextReply() {
    losesNext = true;
  }

  @Override
  public void restore() {
    cut = false;
    losesNext = false;
  }
}
