package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FallbackRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** What properties, beans and annotations make of an application without a server. */
@ExtendWith(OutputCaptureExtension.class)
class WeirAutoConfigurationTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
          .withPropertyValues("weir.policies.api.limit=2", "weir.policies.api.window=1d");

  private static RateLimiter api(AssertableApplicationContext context) {
    return context.getBean(RateLimiterRegistry.class).get("api");
  }

  private static String failure(AssertableApplicationContext context) {
    Throwable failure = context.getStartupFailure();
    while (failure != null && !(failure instanceof PropertyException)) {
      failure = failure.getCause();
    }
    assertThat(failure).isNotNull();
    return failure.getMessage();
  }

  @Test
  void twoLinesLimitInMemoryAndWarnOnce(CapturedOutput output) {
    runner
        .withPropertyValues("weir.policies.b.limit=2", "weir.policies.b.window=1s")
        .run(
            context -> {
              assertThat(api(context).tryAcquire("a").allowed()).isTrue();
              assertThat(api(context).tryAcquire("a").allowed()).isTrue();
              Decision denied = api(context).tryAcquire("a");
              assertThat(denied.allowed()).isFalse();
              assertThat(denied.limit()).isEqualTo(2);
              assertThat(output.getAll())
                  .containsOnlyOnce("There is no RedissonClient")
                  .contains("for the policies [api, b]");
            });
  }

  @Test
  void whoSaysMemoryIsNotWarned(CapturedOutput output) {
    runner
        .withPropertyValues("weir.policies.api.store=memory")
        .run(context -> assertThat(api(context).tryAcquire("a").allowed()).isTrue());
    assertThat(output.getAll()).doesNotContain("RedissonClient");
  }

  @Test
  void policiesKeepTheirOrder() {
    runner
        .withPropertyValues(
            "weir.policies.z.limit=1",
            "weir.policies.z.window=1s",
            "weir.policies.b.limit=1",
            "weir.policies.b.window=1s")
        .run(
            context ->
                assertThat(context.getBean(RateLimiterRegistry.class).policies())
                    .containsExactly("api", "z", "b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=0                | weir.policies.api.limit is 0, must be from 1 to 1000000000000
          window=0s              | weir.policies.api.window is PT0S, must be from 1 ms to 366 days in whole microseconds
          window=367d            | weir.policies.api.window is PT8808H, must be from 1 ms to 366 days in whole microseconds
          burst=0                | weir.policies.api.burst is 0, must be from 1 to 1000000000000
          algorithm=slidng       | weir.policies.api.algorithm is 'slidng', must be one of [fixed-window, sliding-window, sliding-window-counter, token-bucket]
          store=postgres         | weir.policies.api.store is 'postgres', must be one of [memory, redis]
          store=redis            | weir.policies.api.store is 'redis', for which the application must have a bean of type org.redisson.api.RedissonClient
          paths=api              | weir.policies.api.paths: path is 'api', must be a decoded path
          methods=G T            | weir.policies.api.methods: method is 'G T', must be one or more letters
          on-unavailable=memory  | weir.policies.api.on-unavailable is memory, must be deny or allow
          """)
  void aWrongPropertyIsNamedWithItsValueAndItsBound(String property, String message) {
    runner
        .withPropertyValues("weir.policies.api." + property.strip())
        .run(context -> assertThat(failure(context)).startsWith(message));
  }

  @Test
  void aMissingPropertyIsNamed() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
        .withPropertyValues("weir.policies.api.window=1m")
        .run(
            context ->
                assertThat(failure(context))
                    .isEqualTo(
                        "weir.policies.api.limit is missing, must be a number of permits such as"
                            + " 100"));
  }

  @Test
  void aMisspeltPropertyIsRefused() {
    runner
        .withPropertyValues("weir.policies.api.path=/api/*")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("weir.policies.api.path]"));
  }

  @Test
  void aFailureIsAnalysedInItsOwnWords() {
    FailureAnalysis analysis =
        new PropertyFailureAnalyzer()
            .analyze(new IllegalStateException(new PropertyException("limit is 0", null)));
    assertThat(analysis.getDescription()).isEqualTo("limit is 0");
  }

  @Test
  void theMetadataKnowsEveryProperty() throws Exception {
    String metadata;
    try (var file =
        WeirProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(names(WeirProperties.class))
        .allSatisfy(name -> assertThat(metadata).contains("\"weir." + name + "\""));
    assertThat(names(WeirProperties.AddressProperties.class))
        .allSatisfy(name -> assertThat(metadata).contains("\"weir.client-address." + name + "\""));
    assertThat(names(WeirProperties.PolicyProperties.class))
        .allSatisfy(name -> assertThat(metadata).containsPattern("[ ,]" + name + "[ ,(]"));
  }

  private static List<String> names(Class<?> properties) {
    return Arrays.stream(properties.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT))
        .toList();
  }

  @Test
  void theRedissonClientOfTheApplicationIsUsed(CapturedOutput output) {
    runner
        .withUserConfiguration(Unreachable.class)
        .run(
            context ->
                assertThatThrownBy(() -> api(context).tryAcquire("a"))
                    .isInstanceOf(RateLimiterUnavailableException.class));
    assertThat(output.getAll()).doesNotContain("There is no RedissonClient");
  }

  @ParameterizedTest
  @CsvSource({"allow,3", "memory,2"})
  void whileRedisIsAwayTheFallbackDecides(String action, int admitted) {
    runner
        .withUserConfiguration(Unreachable.class)
        .withBean(SimpleMeterRegistry.class)
        .withPropertyValues("weir.policies.api.on-unavailable=" + action)
        .run(
            context -> {
              assertThat(api(context)).isInstanceOf(FallbackRateLimiter.class);
              int passed = 0;
              for (int i = 0; i < 3; i++) {
                passed += api(context).tryAcquire("a").allowed() ? 1 : 0;
              }
              assertThat(passed).isEqualTo(admitted);
              MeterRegistry meters = context.getBean(MeterRegistry.class);
              assertThat(
                      meters
                          .get("weir.requests")
                          .tags("store", "redis", "outcome", "unavailable")
                          .counter()
                          .count())
                  .isEqualTo(3);
              assertThat(meters.get("weir.fallback.open").gauge().value()).isZero();
            });
  }

  @Test
  void metersCountByPolicy() {
    runner
        .withBean(SimpleMeterRegistry.class)
        .withPropertyValues("spring.application.name=shop")
        .run(
            context -> {
              api(context).tryAcquire("a");
              MeterRegistry meters = context.getBean(MeterRegistry.class);
              assertThat(
                      meters
                          .get("weir.requests")
                          .tags("namespace", "shop.api", "algorithm", "sliding-window")
                          .tags("store", "memory", "outcome", "admitted")
                          .counter()
                          .count())
                  .isEqualTo(1);
              assertThat(meters.get("weir.keys").gauge().value()).isEqualTo(1);
            });
  }

  @Test
  void anAnnotatedMethodIsLimitedByItsKeyAndCost() {
    runner
        .withBean(Reports.class)
        .run(
            context -> {
              Reports reports = context.getBean(Reports.class);
              assertThat(reports.make("mary", 1)).isEqualTo("mary's");
              assertThatThrownBy(() -> reports.make("mary", 2))
                  .isInstanceOfSatisfying(
                      RateLimitExceededException.class,
                      e -> {
                        assertThat(e.policy()).isEqualTo("api");
                        assertThat(e.decision().remaining()).isEqualTo(1);
                      })
                  .hasMessageNotContaining("mary");
              assertThat(reports.make("john", 2)).isEqualTo("john's");
              assertThatThrownBy(() -> reports.make("paul", 3))
                  .hasMessage("policy 'api' denies the call, which costs more than the limit of 2");
              assertThat(reports.made()).isEqualTo(2);
            });
  }

  @Test
  void withoutAKeyAllCallersShareOne() {
    runner
        .withBean(Reports.class)
        .run(
            context -> {
              Reports reports = context.getBean(Reports.class);
              reports.list();
              reports.list();
              assertThatThrownBy(reports::list).isInstanceOf(RateLimitExceededException.class);
            });
  }

  @Test
  void aReactiveMethodIsLimitedForEachSubscription() {
    runner
        .withBean(Reports.class)
        .run(
            context -> {
              Mono<String> report = context.getBean(Reports.class).later("mary");
              assertThat(report.block()).isEqualTo("mary's");
              assertThat(report.block()).isEqualTo("mary's");
              assertThatThrownBy(report::block).isInstanceOf(RateLimitExceededException.class);
            });
  }

  @Test
  void aKeyThatIsNullIsRefused() {
    runner
        .withBean(Reports.class)
        .run(
            context ->
                assertThatThrownBy(() -> context.getBean(Reports.class).make(null, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key '#account' gave null"));
  }

  @Test
  void anAnnotationThatNamesNoPolicyKeepsTheApplicationFromStarting() {
    runner
        .withBean(Misnamed.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining("@RateLimited on ")
                    .hasMessageContaining("policy is 'apy', must be one of weir.policies: [api]"));
  }

  @Test
  void anExpressionThatIsNoneKeepsTheApplicationFromStarting() {
    runner
        .withBean(Misspelt.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining("key is '#a b', must be an expression"));
  }

  /** A bean with limited methods. */
  static class Reports {
    private int made;

    int made() {
      return made;
    }

    @RateLimited(value = "api", key = "#account", cost = "#pages")
    String make(String account, int pages) {
      made++;
      return account + "'s";
    }

    @RateLimited("api")
    void list() {}

    @RateLimited(value = "api", key = "'later:' + #account")
    Mono<String> later(String account) {
      return Mono.just(account + "'s");
    }
  }

  static class Misnamed {
    @RateLimited("apy")
    void list() {}
  }

  static class Misspelt {
    @RateLimited(value = "api", key = "#a b")
    void list(String a) {}
  }

  /** A client whose server is away: nobody listens on the port. */
  @Configuration(proxyBeanMethods = false)
  static class Unreachable {

    @Bean(destroyMethod = "shutdown")
    RedissonClient redisson() {
      Config config = new Config().setLazyInitialization(true);
      config
          .useSingleServer()
          .setAddress("redis://127.0.0.1:1")
          .setRetryAttempts(0)
          .setConnectTimeout((int) Duration.ofMillis(200).toMillis());
      return Redisson.create(config);
    }
  }
}
