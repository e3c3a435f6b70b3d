package dev.weir.conformance.internal;

import dev.weir.conformance.Scenario;
import dev.weir.conformance.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * A variant is a scenario made from a trace, that must lead to the same decisions.
 *
 * @param scenario the scenario
 * @param origins for each event that the scenario leads to, the event of the trace whose decision
 *     it must have, or -1
 */
record Variant(Scenario scenario, List<Integer> origins) {

  /** Builds a variant step by step, waiting for the times of the events. */
  static final class Builder {
    private final long start;
    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> origins = new ArrayList<>();
    private long clock;

    Builder(long start) {
      this.start = start;
      this.clock = start;
    }

    /** Waits until the clock says what it said before the event. */
    Builder until(Event event) {
      long before = event.clock();
      if (event.step() instanceof Step.StepBack back) {
        before += Times.micros(back.by());
      } else if (event.step() instanceof Step.StepForward forward) {
        before -= Times.micros(forward.by());
      }
      until(before);
      return this;
    }

    /** Waits until the clock says so. */
    Builder until(long micros) {
      if (micros > clock) {
        steps.add(new Step.Advance(Times.duration(micros - clock)));
        clock = micros;
      }
      return this;
    }

    /** Adds steps, the last of which must have the decision of the origin. */
    Builder steps(List<Step> added, int origin) {
      for (int i = 0; i < added.size(); i++) {
        step(added.get(i));
        origin(i == added.size() - 1 ? origin : -1);
      }
      return this;
    }

    Builder step(Step step) {
      steps.add(step);
      if (step instanceof Step.StepBack back) {
        clock -= Times.micros(back.by());
      } else if (step instanceof Step.StepForward forward) {
        clock += Times.micros(forward.by());
      }
      return this;
    }

    Builder origin(int origin) {
      origins.add(origin);
      return this;
    }

    Variant build() {
      return new Variant(new Scenario(Times.instant(start), steps), List.copyOf(origins));
    }
  }
}
