package dev.weir;

import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/** A clock and a timer that move when a test says so. The clock soon overflows, as it may. */
final class VirtualTime implements LongSupplier, WaitingRateLimiter.Timer {

  static final long MS = 1_000_000;
  private static final long START = Long.MAX_VALUE - 3 * MS;

  /** Released once for each task that is scheduled. */
  final Semaphore scheduled = new Semaphore(0);

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long now = START;
  private long numbers;
  boolean shutDown;
  boolean cancelsTooLate;
  boolean ringsEarly;

  private final class Task extends CompletableFuture<Void> implements Comparable<Task> {
    private final Runnable action;
    private final long due;
    private final long number;

    Task(Runnable action, long due, long number) {
      this.action = action;
      this.due = due;
      this.number = number;
    }

    @Override
    public int compareTo(Task other) {
      int byDue = Long.signum(due - other.due);
      return byDue != 0 ? byDue : Long.compare(number, other.number);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      synchronized (VirtualTime.this) {
        return !cancelsTooLate && tasks.remove(this) && super.cancel(mayInterrupt);
      }
    }
  }

  @Override
  public synchronized long getAsLong() {
    return now;
  }

  /** Nanoseconds since the start. */
  synchronized long elapsed() {
    return now - START;
  }

  @Override
  public synchronized Future<?> schedule(Runnable action, long delayNanos) {
    if (shutDown) {
      throw new RejectedExecutionException("shut down");
    }
    long delay = Math.max(0, ringsEarly ? delayNanos / 2 : delayNanos);
    Task task = new Task(action, now + delay, numbers++);
    tasks.add(task);
    scheduled.release();
    return task;
  }

  synchronized int tasks() {
    return tasks.size();
  }

  /** Runs the task that is next, if it is due by then. */
  private boolean runNext(long until) {
    Task task;
    synchronized (this) {
      task = tasks.peek();
      if (task == null || task.due - until > 0) {
        return false;
      }
      tasks.poll();
      now = Math.max(0, task.due - now) + now;
    }
    task.action.run();
    return true;
  }

  /** Runs one task that is due now; returns false if there is none. */
  boolean runOne() {
    return runNext(getAsLong());
  }

  /** Lets time pass, and runs what is due at its time. */
  void advance(long nanos) {
    long until = getAsLong() + nanos;
    while (runNext(until)) {
      // until nothing is due any more
    }
    synchronized (this) {
      now = until;
    }
  }
}
