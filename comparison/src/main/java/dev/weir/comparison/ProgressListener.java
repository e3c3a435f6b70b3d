package dev.weir.comparison;

/** Is told, now and then and on the thread that works, how far a long piece of work has come. */
@FunctionalInterface
public interface ProgressListener {

  /**
   * Tells how far the work has come.
   *
   * @param what what is being done, such as the name of an algorithm
   * @param done how much of it is done
   * @param total how much there is to do; clients that come again make it more
   */
  void progress(String what, long done, long total);
}
