/**
 * The comparison of rate limiting algorithms on one trace: what each admits, denies and costs.
 *
 * <p>Start at {@link dev.weir.comparison.Comparison}. A {@link dev.weir.comparison.Trace} comes
 * from a log by {@link dev.weir.comparison.TraceReader}, from a {@link
 * dev.weir.comparison.Scenario}, or event by event from a {@link
 * dev.weir.comparison.Trace.Builder}.
 */
@NullMarked
package dev.weir.comparison;

import org.jspecify.annotations.NullMarked;
