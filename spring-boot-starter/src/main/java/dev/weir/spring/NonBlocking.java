package dev.weir.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** How answers of limiters come into reactive code. */
final class NonBlocking {

  private NonBlocking() {}

  /**
   * Returns the stage as a mono. What follows runs at once if the stage is complete, else on a
   * thread of Reactor: a store's own threads must stay free for its answers.
   */
  static <T> Mono<T> mono(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    Mono<T> answer = Mono.fromFuture(future, true);
    return future.isDone() ? answer : answer.publishOn(Schedulers.parallel());
  }
}
