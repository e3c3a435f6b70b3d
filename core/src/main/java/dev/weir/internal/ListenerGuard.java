package dev.weir.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Calls a listener so that whatever it throws ends in the log and changes no decision. */
public final class ListenerGuard {

  private final Object listener;
  private final Supplier<System.Logger> logger;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Guards a listener, with the log of this library. */
  public ListenerGuard(Object listener) {
    this(listener, () -> System.getLogger("dev.weir"));
  }

  ListenerGuard(Object listener, Supplier<System.Logger> logger) {
    this.listener = listener;
    this.logger = logger;
  }

  /**
   * Makes a call to the listener. Its exceptions may carry keys, which can be secrets, so their
   * text is logged at DEBUG only; and one warning is enough, for a listener fails on every request.
   */
  public void call(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      System.Logger log = logger.get();
      String listenerClass = listener.getClass().getName();
      if (warned.compareAndSet(false, true)) {
        log.log(
            System.Logger.Level.WARNING,
            "the listener {0} threw {1}, which changes no decision; stack traces and whatever it"
                + " throws from now on are logged at DEBUG only",
            listenerClass,
            e.getClass().getName());
      }
      log.log(System.Logger.Level.DEBUG, () -> "the listener " + listenerClass + " threw", e);
    }
  }
}
