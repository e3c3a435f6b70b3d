package dev.weir.comparison;

import dev.weir.internal.Micros;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of one algorithm, and what a report shows beyond, as its first store decided. */
final class Details {

  final String algorithm;
  final TimeBins bins;
  private final int keys;
  final WaitSamples waits = new WaitSamples();

  List<Result> results = List.of();

  /** The worst window's count of every key, sorted. */
  long[] peaks = new long[0];

  /** The worst key, or null if nothing was admitted. */
  @Nullable CloseUp closeUp;

  Details(String algorithm, TraceFacts trace) {
    this.algorithm = algorithm;
    keys = trace.keys();
    bins = new TimeBins(Micros.of(trace.first()), Micros.of(trace.last()));
  }

  void decided(Batch batch, Batch.Decisions decisions) {
    for (int i = 0; i < batch.size; i++) {
      bins.add(batch.times[i], decisions.get(i).allowed());
    }
  }

  void end(WindowMeter meter) {
    peaks = new long[keys];
    Arrays.setAll(peaks, meter::peak);
    Arrays.sort(peaks);
  }
}
