package dev.weir.spring;

import static dev.weir.spring.NamedLimiter.checked;

import dev.weir.ProviderContext;
import dev.weir.micrometer.RateLimiterMeters;
import dev.weir.servlet.ClientAddress;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.spring.WeirProperties.AddressProperties;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.DispatcherServlet;
import reactor.core.publisher.Mono;

/**
 * Sets up limiters, the filter, {@link RateLimited}, meters and the Actuator endpoint from {@link
 * WeirProperties}.
 *
 * <p>An application that gives limiters more than a RedissonClient, such as {@code RedisOptions},
 * defines a bean of type {@link ProviderContext}, which is then taken instead.
 */
@AutoConfiguration
@EnableConfigurationProperties(WeirProperties.class)
public class WeirAutoConfiguration {

  private static final int BEFORE_SECURITY = -110;
  private static final int AFTER_SECURITY = -90;

  /** Creates the configuration. This is for Spring. */
  public WeirAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  ProviderContext weirProviderContext(
      WeirProperties properties,
      Environment environment,
      ObjectProvider<ContextResource> resources) {
    String given = properties.namespace();
    String namespace =
        given == null ? environment.getProperty("spring.application.name", "weir") : given;
    ProviderContext context = checked("weir.namespace", () -> ProviderContext.of(namespace));
    for (ContextResource resource : resources) {
      context = resource.apply(context);
    }
    return context;
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimiterRegistry weirRateLimiters(
      WeirProperties properties,
      ProviderContext context,
      ObjectProvider<LimiterObserver> observer) {
    return LimiterFactory.registry(
        properties, context, observer.getIfAvailable(() -> new LimiterObserver() {}));
  }

  @Bean
  static RateLimitedMethods weirRateLimitedMethods(
      ObjectProvider<RateLimiterRegistry> registry, Environment environment) {
    return new RateLimitedMethods(
        registry, environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
  }

  private static List<NamedLimiter> limitersOfRequests(RateLimiterRegistry registry) {
    return StreamSupport.stream(registry.all().spliterator(), false)
        .filter(NamedLimiter::isForRequests)
        .toList();
  }

  private static int filterOrder(WeirProperties properties, List<NamedLimiter> limiters) {
    Integer order = properties.filterOrder();
    if (order != null) {
      return order;
    }
    return limiters.stream()
            .anyMatch(limiter -> limiter.properties().key() == WeirProperties.Key.USER)
        ? AFTER_SECURITY
        : BEFORE_SECURITY;
  }

  private static ClientAddress clientAddress(AddressProperties properties) {
    String[] trusted = properties.trustedProxies().toArray(String[]::new);
    ClientAddress peer =
        trusted.length == 0
            ? ClientAddress.ofPeer()
            : checked("weir.client-address.trusted-proxies", () -> ClientAddress.behind(trusted));
    String header = properties.header();
    ClientAddress client =
        header.equalsIgnoreCase("X-Forwarded-For")
            ? peer
            : checked(
                "weir.client-address.header",
                () ->
                    header.equalsIgnoreCase("Forwarded")
                        ? peer.readingForwarded()
                        : peer.readingHeader(header));
    return checked(
        "weir.client-address.ipv6-prefix", () -> client.withIpv6Prefix(properties.ipv6Prefix()));
  }

  /** Adds to the context what a store needs. */
  interface ContextResource extends UnaryOperator<ProviderContext> {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedissonClient.class)
  static class OnRedis {

    @Bean
    ContextResource weirRedissonClient(ObjectProvider<RedissonClient> client) {
      return context -> {
        RedissonClient redisson = client.getIfAvailable();
        return redisson == null ? context : context.with(RedissonClient.class, redisson);
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MeterRegistry.class, RateLimiterMeters.class})
  static class WithMeters {

    @Bean
    LimiterObserver weirMeters(ObjectProvider<MeterRegistry> registry) {
      MeterRegistry meters = registry.getIfUnique();
      return meters == null ? new LimiterObserver() {} : new MicrometerObserver(meters);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
  static class ForServlets {

    @Bean
    @ConditionalOnMissingBean(name = "weirFilter")
    FilterRegistrationBean<Filter> weirFilter(
        RateLimiterRegistry registry, WeirProperties properties) {
      List<NamedLimiter> limiters = limitersOfRequests(registry);
      FilterRegistrationBean<Filter> registration =
          new FilterRegistrationBean<>(filter(limiters, clientAddress(properties.clientAddress())));
      registration.setName("weirFilter");
      registration.setEnabled(!limiters.isEmpty());
      registration.setOrder(filterOrder(properties, limiters));
      return registration;
    }

    private static Filter filter(List<NamedLimiter> limiters, ClientAddress client) {
      RateLimitFilter.Builder builder = null;
      for (NamedLimiter limiter : limiters) {
        builder =
            builder == null
                ? RateLimitFilter.builder(limiter.limiter())
                : builder.policy(limiter.limiter());
        builder.name(limiter.name()).paths(limiter.properties().paths().toArray(String[]::new));
        if (!limiter.properties().methods().isEmpty()) {
          builder.methods(limiter.properties().methods().toArray(String[]::new));
        }
        if (limiter.properties().key() == WeirProperties.Key.USER) {
          builder.keyByUser();
        }
      }
      return builder == null
          ? (request, response, chain) -> chain.doFilter(request, response)
          : builder.clientAddress(client).build();
    }

    @Bean
    @ConditionalOnClass(DispatcherServlet.class)
    ServletProblems weirProblems(RateLimiterRegistry registry) {
      return new ServletProblems(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass({WebFilter.class, DispatcherHandler.class, Mono.class})
  static class ForWebFlux {

    @Bean
    @ConditionalOnMissingBean(name = "weirFilter")
    WebFilter weirFilter(RateLimiterRegistry registry, WeirProperties properties) {
      List<NamedLimiter> limiters = limitersOfRequests(registry);
      return new RateLimitWebFilter(
          limiters, clientAddress(properties.clientAddress()), filterOrder(properties, limiters));
    }

    @Bean
    WebFluxProblems weirProblems(RateLimiterRegistry registry) {
      return new WebFluxProblems(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class WithActuator {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    WeirEndpoint weirEndpoint(RateLimiterRegistry registry) {
      return new WeirEndpoint(registry);
    }
  }
}
