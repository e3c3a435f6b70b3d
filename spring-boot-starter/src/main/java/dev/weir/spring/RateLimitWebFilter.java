package dev.weir.spring;

import dev.weir.RateLimiterUnavailableException;
import dev.weir.servlet.ClientAddress;
import dev.weir.servlet.HttpAnswer;
import dev.weir.servlet.HttpPolicy;
import dev.weir.servlet.Rejection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The filter for WebFlux: what {@code RateLimitFilter} is for servlets, without blocking. */
final class RateLimitWebFilter implements WebFilter, Ordered {

  private final List<NamedLimiter> limiters;
  private final ClientAddress client;
  private final int order;

  RateLimitWebFilter(List<NamedLimiter> limiters, ClientAddress client, int order) {
    this.limiters = limiters;
    this.client = client;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    List<NamedLimiter> counting =
        isPreflight(exchange.getRequest()) ? List.of() : counting(exchange);
    if (counting.isEmpty()) {
      return chain.filter(exchange);
    }
    return user(exchange, counting)
        .flatMap(user -> ask(exchange, user, counting, 0, HttpAnswer.empty()))
        .flatMap(
            answer ->
                answer.rejection().isPresent()
                    ? write(answer, exchange.getResponse())
                    : pass(answer, exchange, chain));
  }

  private static boolean isPreflight(ServerHttpRequest request) {
    return HttpMethod.OPTIONS.equals(request.getMethod())
        && request.getHeaders().getFirst("Origin") != null
        && request.getHeaders().getFirst("Access-Control-Request-Method") != null;
  }

  private List<NamedLimiter> counting(ServerWebExchange exchange) {
    ServerHttpRequest request = exchange.getRequest();
    String method = request.getMethod().name();
    String context = request.getPath().contextPath().value();
    String path = request.getURI().getRawPath();
    List<NamedLimiter> counting = new ArrayList<>();
    for (NamedLimiter limiter : limiters) {
      if (limiter.http().counts(method, context, path == null ? "/" : path)) {
        counting.add(limiter);
      }
    }
    return counting;
  }

  /** The name of who is logged in, empty if nobody is or nobody asks. */
  private static Mono<String> user(ServerWebExchange exchange, List<NamedLimiter> counting) {
    return counting.stream()
            .anyMatch(limiter -> limiter.properties().key() == WeirProperties.Key.USER)
        ? exchange.getPrincipal().map(Principal::getName).defaultIfEmpty("")
        : Mono.just("");
  }

  private Mono<HttpAnswer> ask(
      ServerWebExchange exchange,
      String user,
      List<NamedLimiter> counting,
      int next,
      HttpAnswer before) {
    NamedLimiter limiter = counting.get(next);
    String key =
        limiter.properties().key() == WeirProperties.Key.USER && !user.isEmpty()
            ? HttpPolicy.key("user", user)
            : addressOf(exchange.getRequest());
    return NonBlocking.mono(limiter.limiter().tryAcquireAsync(key))
        .map(decision -> before.with(limiter.http(), decision))
        .onErrorResume(
            RateLimitWebFilter::isUnavailable,
            failure -> Mono.just(before.unavailable(limiter.name())))
        .flatMap(
            answer ->
                answer.rejection().isPresent() || next + 1 == counting.size()
                    ? Mono.just(answer)
                    : ask(exchange, user, counting, next + 1, answer));
  }

  private static boolean isUnavailable(Throwable failure) {
    return failure instanceof RateLimiterUnavailableException
        || (failure instanceof CompletionException
            && failure.getCause() instanceof RateLimiterUnavailableException);
  }

  private String addressOf(ServerHttpRequest request) {
    InetSocketAddress peer = request.getRemoteAddress();
    return client.keyOf(
        peer == null || peer.getAddress() == null ? null : peer.getAddress().getHostAddress(),
        name -> lines(request.getHeaders(), name));
  }

  /** By a walk: the methods that look a header up differ between Spring 6 and 7. */
  private static List<String> lines(HttpHeaders headers, String name) {
    List<String> lines = new ArrayList<>();
    headers.forEach(
        (header, values) -> {
          if (header.equalsIgnoreCase(name)) {
            lines.addAll(values);
          }
        });
    return lines;
  }

  private static Mono<Void> pass(
      HttpAnswer answer, ServerWebExchange exchange, WebFilterChain chain) {
    if (!exchange.getResponse().isCommitted()) {
      HttpHeaders headers = exchange.getResponse().getHeaders();
      answer.writeFields(headers::set, headers::add);
    }
    return chain.filter(exchange);
  }

  /** Answers a request that does not pass; a response that is committed is left alone. */
  static Mono<Void> write(HttpAnswer answer, ServerHttpResponse response) {
    Rejection rejection = answer.rejection().orElseThrow();
    if (response.isCommitted()) {
      return Mono.empty();
    }
    response.setStatusCode(HttpStatusCode.valueOf(rejection.status()));
    answer.writeFields(response.getHeaders()::set, response.getHeaders()::add);
    byte[] body = answer.problem().getBytes(StandardCharsets.US_ASCII);
    response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    response.getHeaders().setContentLength(body.length);
    return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
  }
}
