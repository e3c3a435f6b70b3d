package dev.weir;

import java.util.concurrent.atomic.AtomicBoolean;

/** Calls a listener so that whatever it throws ends in the log and changes no decision. */
final class ListenerGuard {

  private static final System.Logger LOGGER = System.getLogger("dev.weir");

  private final Object listener;
  private final AtomicBoolean warned = new AtomicBoolean();

  ListenerGuard(Object listener) {
    this.listener = listener;
  }

  /**
   * Makes a call to the listener. Its exceptions may carry keys, which can be secrets, so their
   * text is logged at DEBUG only; and one warning is enough, for a listener fails on every request.
   */
  void call(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      String listenerClass = listener.getClass().getName();
      if (warned.compareAndSet(false, true)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the listener {0} threw {1}, which changes no decision; stack traces and whatever it"
                + " throws from now on are logged at DEBUG only",
            listenerClass,
            e.getClass().getName());
      }
      LOGGER.log(System.Logger.Level.DEBUG, () -> "the listener " + listenerClass + " threw", e);
    }
  }
}
