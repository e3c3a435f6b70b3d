package dev.weir.comparison.command;

import dev.weir.comparison.ComparisonResult;
import dev.weir.comparison.Result;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An assertion on a comparison, such as {@code max-overshoot<=1.0}: a figure over all results, an
 * operator, a number.
 */
record Assertion(Figure figure, Operator operator, BigDecimal bound) {

  private static final Pattern TEXT =
      Pattern.compile("\\s*([a-z-]+)\\s*(<=|>=|==|=|<|>)\\s*(\\d+(?:\\.\\d+)?)\\s*");

  static Assertion parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--assert is '" + text + "', must be FIGURE OPERATOR NUMBER like 'max-overshoot<=1.0'");
    }
    String name = matcher.group(1);
    Figure figure =
        Arrays.stream(Figure.values())
            .filter(f -> f.label().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--assert is '"
                            + text
                            + "', its figure must be one of "
                            + Arrays.stream(Figure.values())
                                .map(Figure::label)
                                .collect(Collectors.joining(", "))));
    Operator operator =
        Arrays.stream(Operator.values())
            .filter(o -> o.symbol.equals(matcher.group(2).equals("=") ? "==" : matcher.group(2)))
            .findFirst()
            .orElseThrow();
    return new Assertion(figure, operator, new BigDecimal(matcher.group(3)));
  }

  /** Returns how the comparison breaks this assertion, or null if it holds. */
  @Nullable String broken(ComparisonResult comparison) {
    Optional<Result> worst =
        comparison.results().stream()
            .filter(result -> !Double.isNaN(figure.value(comparison, result)))
            .max(
                Comparator.comparingDouble(
                    result -> figure.badness(figure.value(comparison, result))));
    if (worst.isEmpty()) {
      return null; // nothing was denied, so no wait was told that could be wrong
    }
    Result result = worst.get();
    BigDecimal value = BigDecimal.valueOf(figure.value(comparison, result)).stripTrailingZeros();
    return operator.holds(value.compareTo(bound))
        ? null
        : "assertion "
            + figure.label()
            + operator.symbol
            + bound
            + " failed: "
            + figure.label()
            + " is "
            + value.toPlainString()
            + " ("
            + result.algorithm()
            + " on "
            + result.store()
            + ")";
  }

  /** A figure of one result; over several results the worst one counts. */
  enum Figure {
    /** The worst window's count as a multiple of the limit. */
    MAX_OVERSHOOT {
      @Override
      double value(ComparisonResult comparison, Result result) {
        return comparison.overshoot(result);
      }
    },
    /** Denials that the rolling window does not justify. */
    FALSE_DENIALS {
      @Override
      double value(ComparisonResult comparison, Result result) {
        return result.falseDenials();
      }
    },
    /** The percentage of waits after which the request would be admitted; the lowest counts. */
    HONEST {
      @Override
      double value(ComparisonResult comparison, Result result) {
        return result.retryAfter().honestPercent().orElse(Double.NaN);
      }

      @Override
      double badness(double value) {
        return -value;
      }
    },
    /** Denied requests. */
    DENIED {
      @Override
      double value(ComparisonResult comparison, Result result) {
        return result.denied();
      }
    };

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The figure, or NaN if this result has none. */
    abstract double value(ComparisonResult comparison, Result result);

    double badness(double value) {
      return value;
    }
  }

  enum Operator {
    AT_MOST("<="),
    AT_LEAST(">="),
    EQUAL("=="),
    BELOW("<"),
    ABOVE(">");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    boolean holds(int order) {
      return switch (this) {
        case AT_MOST -> order <= 0;
        case AT_LEAST -> order >= 0;
        case EQUAL -> order == 0;
        case BELOW -> order < 0;
        case ABOVE -> order > 0;
      };
    }
  }
}
