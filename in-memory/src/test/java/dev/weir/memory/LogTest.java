package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The ring of the sliding window log. */
class LogTest {

  private record Entry(long time, long permits) {}

  /** Each number: an entry so many microseconds later, after so many of the oldest are dropped. */
  @Property
  void itIsAListThatIsSearchedByTimeAndBySum(
      @ForAll @Size(max = 200) List<@IntRange(max = 99) Integer> steps,
      @ForAll @LongRange(max = 3_000) long time,
      @ForAll @LongRange(min = 1, max = 1_000) long permits) {
    Log log = new Log("key");
    List<Entry> list = new ArrayList<>();
    long now = 0;
    for (int step : steps) {
      int drop = Math.min(list.size(), step % 10 == 0 ? step : step % 3);
      log.dropBefore(drop);
      list.subList(0, drop).clear();
      now += 1 + step;
      log.append(now, 1 + step % 7);
      list.add(new Entry(now, 1 + step % 7));
    }

    int first = 0;
    while (first < list.size() && list.get(first).time <= time) {
      first++;
    }
    assertThat(log.firstAfter(time)).isEqualTo(first);
    long sum = list.subList(first, list.size()).stream().mapToLong(Entry::permits).sum();
    assertThat(log.permitsFrom(first)).isEqualTo(sum);
    if (permits <= sum) {
      int reaching = first;
      for (long reached = list.get(first).permits; reached < permits; ) {
        reached += list.get(++reaching).permits;
      }
      assertThat(log.firstReaching(permits, first)).isEqualTo(reaching);
    }
  }

  @Test
  void sumsSurviveATotalThatWraps() {
    Log log = new Log("key");
    log.append(1, Long.MAX_VALUE - 5);
    log.append(2, 10);
    log.append(3, 20);

    assertThat(log.permitsFrom(1)).isEqualTo(30);
    assertThat(log.firstReaching(11, 1)).isEqualTo(2);
  }

  @Test
  void permitsOfOneMicrosecondAreOneEntry() {
    Log log = new Log("key");
    for (int i = 0; i < 1_000; i++) {
      log.append(7, 1);
    }

    assertThat(log.permitsFrom(0)).isEqualTo(1_000);
    assertThat(log.firstAfter(0)).isZero();
    assertThat(log.firstAfter(7)).isEqualTo(1);
    assertThat(log.bytes()).isEqualTo(32);
  }

  @Property
  void memoryFollowsTheLiveEntriesUpAndDown(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 2_000) Integer> sizes) {
    Log log = new Log("key");
    long time = 0;
    int live = 0;
    for (int size : sizes) {
      for (; live < size; live++) {
        log.append(++time, 1);
      }
      log.dropBefore(live - size);
      live = size;
      assertThat(log.bytes()).isLessThanOrEqualTo(Math.max(64, 64 * size));
    }
  }
}
