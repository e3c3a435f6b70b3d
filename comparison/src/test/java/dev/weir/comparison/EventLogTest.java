package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class EventLogTest {

  record Event(long time, int key, long permits) {}

  @Property
  void eventsComeBackSortedByTimeAndOtherwiseAsTheyCame(
      @ForAll @Size(max = 100) List<@LongRange(min = -5, max = 20) Long> times,
      @ForAll @IntRange(min = 1, max = 9) int run,
      @ForAll @IntRange(min = 0, max = 3) int runsInMemory)
      throws IOException {
    try (EventLog log = new EventLog(run, runsInMemory)) {
      List<Event> events = new ArrayList<>();
      for (long time : times) {
        Event event = new Event(time, events.size(), 1L + events.size() * (1L << 40));
        events.add(event);
        log.add(event.time, event.key, event.permits);
      }
      log.finish();
      List<Event> sorted = events.stream().sorted(Comparator.comparingLong(Event::time)).toList();
      assertThat(read(log)).isEqualTo(sorted);
      assertThat(read(log)).as("a second time").isEqualTo(sorted);
    }
  }

  @Property(tries = 3)
  void aLongRunComesBackFromTheFile(@ForAll @IntRange(min = 9_000, max = 10_000) int count)
      throws IOException {
    try (EventLog log = new EventLog(count, 0)) {
      for (int i = 0; i < count; i++) {
        log.add(count - i, i, 1);
      }
      log.finish();
      List<Event> events = read(log);
      assertThat(events).hasSize(count);
      assertThat(events.get(0)).isEqualTo(new Event(1, count - 1, 1));
      assertThat(events.get(count - 1)).isEqualTo(new Event(count, 0, 1));
    }
  }

  private static List<Event> read(EventLog log) {
    List<Event> events = new ArrayList<>();
    EventLog.Cursor cursor = log.cursor();
    while (cursor.next()) {
      events.add(new Event(cursor.time(), cursor.key(), cursor.permits()));
    }
    return events;
  }
}
