package dev.weir.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/** Calls a listener so that whatever it throws ends in the log and changes no decision. */
public final class ListenerGuard {

  private final Object listener;
  private final System.Logger logger;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Guards a listener, with the log of this library. */
  public ListenerGuard(Object listener) {
    this(listener, System.getLogger("dev.weir"));
  }

  ListenerGuard(Object listener, System.Logger logger) {
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
      String listenerClass = listener.getClass().getName();
      if (warned.compareAndSet(false, true)) {
        logger.log(
            System.Logger.Level.WARNING,
            "the listener {0} threw {1}, which changes no decision; stack traces and whatever it"
                + " throws from now on are logged at DEBUG only",
            listenerClass,
            e.getClass().getName());
      }
      logger.log(System.Logger.Level.DEBUG, () -> "the listener " + listenerClass + " threw", e);
    }
  }
}
