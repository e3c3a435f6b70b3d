package dev.weir.conformance.internal.jqwik;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Requires;
import dev.weir.conformance.internal.Features;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** Skips the rules about features that the limiter does not declare, and says so. */
public final class SkipWithoutFeatures implements SkipExecutionHook {

  @Override
  public SkipResult shouldBeSkipped(LifecycleContext context) {
    Requires requires = context.findAnnotation(Requires.class).orElse(null);
    Class<?> container = context.optionalContainerClass().orElse(null);
    if (requires == null || container == null) {
      return SkipResult.doNotSkip();
    }
    Set<Feature> declared = Features.of(container);
    String missing =
        Arrays.stream(requires.value())
            .filter(feature -> !declared.contains(feature))
            .map(SkipWithoutFeatures::reason)
            .collect(Collectors.joining(", "));
    if (missing.isEmpty()
        && requires.anyOf().length > 0
        && Arrays.stream(requires.anyOf()).noneMatch(declared::contains)) {
      missing =
          Arrays.stream(requires.anyOf())
              .map(SkipWithoutFeatures::reason)
              .collect(Collectors.joining(" or "));
    }
    if (missing.isEmpty()) {
      return SkipResult.doNotSkip();
    }
    String reason = "the limiter does not declare " + missing;
    // Consoles only count what is skipped.
    System.out.println(container.getSimpleName() + " skips " + context.label() + ": " + reason);
    return SkipResult.skip(reason);
  }

  private static String reason(Feature feature) {
    return feature + " (" + feature.ability() + ")";
  }
}
