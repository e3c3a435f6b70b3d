package dev.weir.conformance.internal.jqwik;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.ForAll;

/** Marks the parameter of a property that is generated: a draft. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
@ForAll(supplier = Drafts.class)
public @interface Generated {}
