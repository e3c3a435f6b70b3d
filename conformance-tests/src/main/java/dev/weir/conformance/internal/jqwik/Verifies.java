package dev.weir.conformance.internal.jqwik;

import dev.weir.conformance.Rule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** Marks the property that verifies a rule. Drafts are shrunk by the suite itself. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Property(
    shrinking = ShrinkingMode.OFF,
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE)
@AddLifecycleHook(SkipWithoutFeatures.class)
@AddLifecycleHook(Effort.class)
public @interface Verifies {

  /** The rule. */
  Rule value();
}
