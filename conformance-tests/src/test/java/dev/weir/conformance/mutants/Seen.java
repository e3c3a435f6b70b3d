package dev.weir.conformance.mutants;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Where the fault of a mutant was seen. */
@Retention(RetentionPolicy.RUNTIME)
@interface Seen {
  String value();
}
