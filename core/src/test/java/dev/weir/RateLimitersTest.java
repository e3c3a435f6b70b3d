package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RateLimitersTest {

  private static final Quota QUOTA = Quota.parse("100/1m");
  private static final ProviderContext CONTEXT = ProviderContext.of("api");

  @TempDir Path services;

  /** A limiter of a third party: it denies everything. */
  record Closed(Policy policy) implements RateLimiter {
    @Override
    public Decision tryAcquire(String key, long permits) {
      return Decision.denied(policy.limit(), 0, Duration.ofSeconds(permits), Duration.ZERO);
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(String key, long permits) {
      return CompletableFuture.completedFuture(tryAcquire(key, permits));
    }

    @Override
    public Decision peek(String key, long permits) {
      return tryAcquire(key, permits);
    }

    @Override
    public void reset(String key) {}
  }

  /** Found through the services file that a test writes. */
  public static class ClosedInMemory implements RateLimiterProvider {
    @Override
    public String algorithm() {
      return "closed";
    }

    @Override
    public String store() {
      return "memory";
    }

    @Override
    public RateLimiter create(Quota quota, ProviderContext context) {
      return new Closed(SlidingWindowPolicy.of(quota));
    }
  }

  /** A second algorithm on another store. */
  public static class OtherOnDisk extends ClosedInMemory {
    @Override
    public String algorithm() {
      return "other";
    }

    @Override
    public String store() {
      return "disk";
    }
  }

  /** Has the names of another provider. */
  public static class ClosedInMemoryToo extends ClosedInMemory {}

  private void withProviders(Runnable test, Class<?>... providers) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      Path folder = Files.createDirectories(services.resolve("META-INF/services"));
      Files.writeString(
          folder.resolve(RateLimiterProvider.class.getName()),
          Arrays.stream(providers).map(Class::getName).collect(Collectors.joining("\n")));
      try (URLClassLoader loader =
          new URLClassLoader(new URL[] {services.toUri().toURL()}, before)) {
        thread.setContextClassLoader(loader);
        test.run();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void aLimiterIsCreatedByTheNamesOfItsStoreAndAlgorithm() {
    withProviders(
        () -> {
          RateLimiter limiter = RateLimiters.create("memory", "closed", QUOTA, CONTEXT);
          assertThat(limiter.policy()).isEqualTo(SlidingWindowPolicy.of(QUOTA));
          assertThat(limiter.tryAcquire("alice").allowed()).isFalse();
          assertThat(limiter.peek("alice").retryAfter()).isEqualTo(Duration.ofSeconds(1));
          assertThat(limiter.tryAcquireAsync("alice").toCompletableFuture())
              .isCompletedWithValueMatching(decision -> !decision.allowed());
        },
        ClosedInMemory.class,
        OtherOnDisk.class);
  }

  @Test
  void anUnknownNameIsRefusedWithTheProvidersThatAreThere() {
    withProviders(
        () ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.create("memory", "leaky", QUOTA, CONTEXT))
                .withMessage(
                    "no provider has store 'memory' and algorithm 'leaky'; on the class path are:"
                        + " disk other, memory closed"),
        ClosedInMemory.class,
        OtherOnDisk.class);
  }

  @Test
  void withoutAnyProviderTheMessageNamesAModuleToAdd() {
    withProviders(
        () ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.create("memory", "closed", QUOTA, CONTEXT))
                .withMessageContaining(
                    "none on the class path, add a module such as weir-in-memory"));
  }

  @Test
  void twoProvidersOfOneNameAreRefusedByTheirClasses() {
    withProviders(
        () ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiters.create("memory", "closed", QUOTA, CONTEXT))
                .withMessageContaining(ClosedInMemory.class.getName())
                .withMessageContaining(ClosedInMemoryToo.class.getName()),
        ClosedInMemory.class,
        ClosedInMemoryToo.class);
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> RateLimiters.create(null, "closed", QUOTA, CONTEXT));
    assertThatNullPointerException()
        .isThrownBy(() -> RateLimiters.create("memory", null, QUOTA, CONTEXT));
    assertThatNullPointerException()
        .isThrownBy(() -> RateLimiters.create("memory", "closed", null, CONTEXT));
    assertThatNullPointerException()
        .isThrownBy(() -> RateLimiters.create("memory", "closed", QUOTA, null));
  }
}
