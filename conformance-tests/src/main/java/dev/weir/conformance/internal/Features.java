package dev.weir.conformance.internal;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Supports;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads what a class declares. */
public final class Features {

  private Features() {}

  /** The features that a class or the nearest of its superclasses declares. */
  public static Set<Feature> of(Class<?> type) {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    Supports supports = type.getAnnotation(Supports.class);
    if (supports != null) {
      features.addAll(List.of(supports.value()));
      features.addAll(List.of(supports.also()));
      features.removeAll(List.of(supports.except()));
    }
    return features;
  }
}
