package dev.weir.comparison;

/** The paths of plots, each as wide as {@link Svg#PLOT}. */
final class Curves {

  private static final String NOTHING = "M0 0";

  private Curves() {}

  /** Upright lines at the borders of windows. */
  static String borders(long from, long to, long window, double top, double bottom) {
    StringBuilder data = new StringBuilder();
    for (long border = (from + window - 1) / window * window; border <= to; border += window) {
      upright(data, Svg.x(border, from, to), top, bottom);
    }
    return data.isEmpty() ? NOTHING : data.toString();
  }

  /** The curve, so many units high for each permit. */
  static String steps(StepCurve curve, double scale, double bottom) {
    StringBuilder data = new StringBuilder();
    data.append('M').append(Svg.LEFT).append(' ');
    data.append(Svg.number(bottom - curve.initial() * scale));
    for (int i = 0; i < curve.columns(); i++) {
      if (curve.isChanged(i)) {
        data.append('H').append(Svg.number(Svg.LEFT + (double) i / curve.columns() * Svg.PLOT));
        if (curve.least(i) != curve.greatest(i)) {
          data.append('V').append(Svg.number(bottom - curve.greatest(i) * scale));
          data.append('V').append(Svg.number(bottom - curve.least(i) * scale));
        }
        data.append('V').append(Svg.number(bottom - curve.last(i) * scale));
      }
    }
    return data.append('H').append(Svg.LEFT + Svg.PLOT).toString();
  }

  /** The area between the curve and the limit where the curve is above. */
  static String excess(StepCurve curve, long limit, double scale, double bottom) {
    double limitY = bottom - limit * scale;
    StringBuilder data = new StringBuilder();
    long value = curve.initial();
    double width = (double) Svg.PLOT / curve.columns();
    int start = 0;
    for (int i = 0; i <= curve.columns(); i++) {
      boolean end = i == curve.columns();
      if (end || curve.isChanged(i)) {
        rectangle(data, start * width, i * width, bottom - value * scale, limitY);
        if (!end) {
          rectangle(data, i * width, (i + 1) * width, bottom - curve.greatest(i) * scale, limitY);
          value = curve.last(i);
          start = i + 1;
        }
      }
    }
    return data.isEmpty() ? NOTHING : data.toString();
  }

  private static void rectangle(
      StringBuilder data, double from, double to, double top, double bottom) {
    if (to > from && top < bottom) {
      data.append('M').append(Svg.number(Svg.LEFT + from)).append(' ').append(Svg.number(bottom));
      data.append('V').append(Svg.number(top)).append('H').append(Svg.number(Svg.LEFT + to));
      data.append('V').append(Svg.number(bottom)).append('Z');
    }
  }

  /** A tick for each column that is set. */
  static String ticks(boolean[] columns, double top, double bottom) {
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < columns.length; i++) {
      if (columns[i]) {
        upright(data, Svg.LEFT + (i + 0.5) / columns.length * Svg.PLOT, top, bottom);
      }
    }
    return data.isEmpty() ? NOTHING : data.toString();
  }

  private static void upright(StringBuilder data, double x, double top, double bottom) {
    data.append('M').append(Svg.number(x)).append(' ').append(Svg.number(top));
    data.append('V').append(Svg.number(bottom));
  }
}
