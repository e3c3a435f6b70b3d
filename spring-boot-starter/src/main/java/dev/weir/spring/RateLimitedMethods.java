package dev.weir.spring;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Puts {@link RateLimited} into effect: makes the proxies, and asks before each call.
 *
 * <p>A post-processor of beans is made before all other beans, so the registry is looked up late.
 * What an annotation says is checked when all beans are there, or at the first call of a bean that
 * is made later.
 */
final class RateLimitedMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor
    implements MethodInterceptor, SmartInitializingSingleton {

  private static final long serialVersionUID = 1L;
  private static final String ALL_CALLERS = "method";
  private static final boolean REACTOR_IS_THERE =
      ClassUtils.isPresent(
          "reactor.core.publisher.Mono", RateLimitedMethods.class.getClassLoader());

  private final transient ObjectProvider<RateLimiterRegistry> registry;
  private final transient Map<Method, Rule> rules = new ConcurrentHashMap<>();
  private final transient Map<Class<?>, Boolean> found = new ConcurrentHashMap<>();
  private final transient SpelExpressionParser parser = new SpelExpressionParser();
  private final transient ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private transient @Nullable BeanFactory beans;

  RateLimitedMethods(ObjectProvider<RateLimiterRegistry> registry, boolean proxyTargetClass) {
    this.registry = registry;
    setProxyTargetClass(proxyTargetClass);
    setBeforeExistingAdvisors(true); // a denied call must not open a transaction
    advisor =
        new DefaultPointcutAdvisor(
            new AnnotationMatchingPointcut(null, RateLimited.class, true), this);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    beans = beanFactory;
  }

  @Override
  protected boolean isEligible(Class<?> targetClass) {
    boolean eligible = super.isEligible(targetClass);
    if (eligible) {
      found.put(targetClass, true);
    }
    return eligible;
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (Class<?> type : found.keySet()) {
      MethodIntrospector.selectMethods(
              type,
              (MethodIntrospector.MetadataLookup<RateLimited>)
                  method -> AnnotatedElementUtils.findMergedAnnotation(method, RateLimited.class))
          .keySet()
          .forEach(method -> rule(AopUtils.getMostSpecificMethod(method, type)));
    }
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Method method = invocation.getMethod();
    Rule rule =
        rule(target == null ? method : AopUtils.getMostSpecificMethod(method, target.getClass()));
    if (REACTOR_IS_THERE && Reactive.isReactive(method)) {
      return Reactive.limited(rule, invocation);
    }
    rule.check(rule.limiter.tryAcquire(rule.keyOf(invocation), rule.permitsOf(invocation)));
    return invocation.proceed();
  }

  private Rule rule(Method method) {
    Rule rule = rules.get(method);
    if (rule == null) {
      rule = newRule(method);
      rules.put(method, rule);
    }
    return rule;
  }

  private Rule newRule(Method method) {
    RateLimited annotation = AnnotatedElementUtils.findMergedAnnotation(method, RateLimited.class);
    if (annotation == null) {
      throw new IllegalStateException(method + " is not annotated by @RateLimited");
    }
    try {
      return new Rule(
          method,
          annotation.value(),
          registry.getObject().get(annotation.value()),
          parse("key", annotation.key()),
          parse("cost", annotation.cost()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("@RateLimited on " + method + ": " + e.getMessage(), e);
    }
  }

  private @Nullable Expression parse(String what, String text) {
    try {
      return text.isEmpty() ? null : parser.parseExpression(text);
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          what + " is '" + text + "', must be an expression: " + e.getSimpleMessage(), e);
    }
  }

  /** What the annotation of one method says. */
  private final class Rule {
    final Method method;
    final String policy;
    final RateLimiter limiter;
    final @Nullable Expression key;
    final @Nullable Expression cost;

    Rule(
        Method method,
        String policy,
        RateLimiter limiter,
        @Nullable Expression key,
        @Nullable Expression cost) {
      this.method = method;
      this.policy = policy;
      this.limiter = limiter;
      this.key = key;
      this.cost = cost;
    }

    void check(Decision decision) {
      if (!decision.allowed()) {
        throw new RateLimitExceededException(policy, decision);
      }
    }

    String keyOf(MethodInvocation invocation) {
      if (key == null) {
        return ALL_CALLERS;
      }
      Object value = key.getValue(context(invocation));
      String text = value == null ? "" : value.toString();
      if (text.isEmpty()) {
        throw new IllegalArgumentException(
            "@RateLimited on "
                + method
                + ": key '"
                + key.getExpressionString()
                + "' gave "
                + (value == null ? "null" : "an empty text")
                + ", must have at least 1 character");
      }
      return text;
    }

    long permitsOf(MethodInvocation invocation) {
      if (cost == null) {
        return 1;
      }
      Object value = cost.getValue(context(invocation));
      if (!(value instanceof Number number)) {
        throw new IllegalArgumentException(
            "@RateLimited on "
                + method
                + ": cost '"
                + cost.getExpressionString()
                + "' gave "
                + (value == null ? "null" : value.getClass().getName())
                + ", must be a number");
      }
      return Math.max(1, number.longValue());
    }

    private EvaluationContext context(MethodInvocation invocation) {
      MethodBasedEvaluationContext context =
          new MethodBasedEvaluationContext(
              invocation.getThis() == null ? "" : invocation.getThis(),
              method,
              invocation.getArguments(),
              names);
      if (beans != null) {
        context.setBeanResolver(new BeanFactoryResolver(beans));
      }
      return context;
    }
  }

  /** Only loaded where Reactor is on the class path. */
  private static final class Reactive {

    private Reactive() {}

    static boolean isReactive(Method method) {
      return method.getReturnType() == Mono.class || method.getReturnType() == Flux.class;
    }

    /** Asks for each subscription, so that a retry is counted too. */
    static Object limited(Rule rule, MethodInvocation invocation) {
      Mono<Decision> decision =
          Mono.defer(
                  () ->
                      NonBlocking.mono(
                          rule.limiter.tryAcquireAsync(
                              rule.keyOf(invocation), rule.permitsOf(invocation))))
              .doOnNext(rule::check);
      return invocation.getMethod().getReturnType() == Mono.class
          ? decision.flatMap(admitted -> (Mono<?>) proceed(invocation))
          : decision.flatMapMany(admitted -> (Flux<?>) proceed(invocation));
    }

    private static Object proceed(MethodInvocation invocation) {
      try {
        Object result =
            invocation instanceof ProxyMethodInvocation repeatable
                ? repeatable.invocableClone().proceed()
                : invocation.proceed();
        if (result == null) {
          throw new IllegalStateException(invocation.getMethod() + " returned null");
        }
        return result;
      } catch (Throwable e) {
        throw reactor.core.Exceptions.propagate(e);
      }
    }
  }
}
