package dev.weir.redis.testing;

import java.net.URI;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.redisson.api.RedissonClient;

/**
 * The shared server for Jupiter: a {@link RedissonClient} and a bare {@link RespClient}, which is
 * closed when the test ends, as parameters.
 */
public final class RedisExtension implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RedissonClient.class || type == RespClient.class || type == URI.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == RedissonClient.class) {
      return TestRedis.redisson();
    }
    if (type == URI.class) {
      return TestRedis.uri();
    }
    return context
        .getStore(ExtensionContext.Namespace.create(RedisExtension.class, context.getUniqueId()))
        .getOrComputeIfAbsent(
            RespClient.class, key -> new RespClient(TestRedis.uri()), RespClient.class);
  }
}
