package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.servlet.RateLimitFilter;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

/** What becomes of a web application; src/it starts some. */
class WebApplicationTest {

  private final WebApplicationContextRunner servlets =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  WeirAutoConfiguration.class,
                  EndpointAutoConfiguration.class,
                  WebEndpointAutoConfiguration.class))
          .withPropertyValues("weir.policies.api.limit=2", "weir.policies.api.window=1m");

  @Test
  void aPolicyWithPathsIsKeptByTheFilter() {
    servlets
        .withPropertyValues("weir.policies.api.paths=/api/*")
        .run(
            context -> {
              FilterRegistrationBean<?> filter =
                  context.getBean("weirFilter", FilterRegistrationBean.class);
              assertThat(filter.isEnabled()).isTrue();
              assertThat(filter.getFilter()).isInstanceOf(RateLimitFilter.class);
              assertThat(filter.getOrder()).isLessThan(-100);
              assertThat(context).doesNotHaveBean(RateLimitWebFilter.class);
            });
  }

  @Test
  void aPolicyByUserIsAskedAfterSecurity() {
    servlets
        .withPropertyValues("weir.policies.api.paths=/api/*", "weir.policies.api.key=user")
        .run(
            context ->
                assertThat(context.getBean("weirFilter", FilterRegistrationBean.class).getOrder())
                    .isGreaterThan(-100));
    servlets
        .withPropertyValues("weir.policies.api.paths=/api/*", "weir.filter-order=5")
        .run(
            context ->
                assertThat(context.getBean("weirFilter", FilterRegistrationBean.class).getOrder())
                    .isEqualTo(5));
  }

  @Test
  void aPolicyWithoutPathsLimitsNoRequest() {
    servlets.run(
        context ->
            assertThat(context.getBean("weirFilter", FilterRegistrationBean.class).isEnabled())
                .isFalse());
  }

  @Test
  void aProxyThatIsNoBlockIsRefusedByItsProperty() {
    servlets
        .withPropertyValues("weir.client-address.trusted-proxies=0.0.0.0/0")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("trusted proxy is '0.0.0.0/0'"));
  }

  @Test
  void theEndpointIsThereOnlyWhereItIsExposed() {
    servlets.run(context -> assertThat(context).doesNotHaveBean(WeirEndpoint.class));
    servlets
        .withPropertyValues("management.endpoints.web.exposure.include=weir")
        .run(
            context -> {
              WeirEndpoint endpoint = context.getBean(WeirEndpoint.class);
              assertThat(endpoint.policies()).containsOnlyKeys("api");
              assertThat(endpoint.policies().get("api").quota()).isEqualTo("2/1m");
              context.getBean(RateLimiterRegistry.class).get("api").tryAcquire("a", 2);
              assertThat(endpoint.peek("api", "a").allowed()).isFalse();
              endpoint.reset("api", "a");
              assertThat(endpoint.peek("api", "a").allowed()).isTrue();
            });
  }

  @Test
  void webFluxHasAFilterOfItsOwn() {
    new ReactiveWebApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
        .withPropertyValues(
            "weir.policies.api.limit=2",
            "weir.policies.api.window=1m",
            "weir.policies.api.paths=/api/*")
        .run(
            context -> {
              assertThat(context).hasSingleBean(RateLimitWebFilter.class);
              assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
            });
  }
}
