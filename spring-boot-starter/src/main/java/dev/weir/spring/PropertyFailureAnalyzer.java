package dev.weir.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a property, instead of a page of exceptions. */
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<PropertyException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, PropertyException cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Change the property where your application sets it.",
        cause);
  }
}
