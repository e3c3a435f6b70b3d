package dev.weir.conformance;

import dev.weir.conformance.internal.jqwik.Verifies;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;

/** The properties of a suite by the rule that they verify. */
public final class RuleMethods {

  private RuleMethods() {}

  /** The properties that a class has or inherits. */
  public static Map<Rule, Method> of(Class<?> suite) {
    Map<Rule, Method> methods = new TreeMap<>();
    for (Class<?> type = suite; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        Verifies verifies = method.getAnnotation(Verifies.class);
        if (verifies != null) {
          Method other = methods.put(verifies.value(), method);
          if (other != null) {
            throw new IllegalStateException(other + " and " + method + " verify one rule");
          }
        }
      }
    }
    return methods;
  }
}
