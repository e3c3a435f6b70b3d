package dev.weir.comparison.command;

/** What is to be done at a Ctrl-C. */
final class ShutdownHook {

  private ShutdownHook() {}

  /**
   * Removes a hook that is not needed any more; returns whether it is too late, for the JVM stops.
   */
  static boolean isTooLateToRemove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
