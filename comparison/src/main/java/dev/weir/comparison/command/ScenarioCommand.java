package dev.weir.comparison.command;

import dev.weir.comparison.Scenario;
import dev.weir.comparison.Trace;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir scenario}: made traffic. */
@Command(
    name = "scenario",
    description = "Replays made traffic of one kind through every algorithm, in virtual time.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir scenario boundary-burst",
      "  weir scenario adversary --limit 10/1s --algorithms fixed-window,token-bucket",
      "  weir scenario poisson --seed 7 --store memory --json poisson.json",
      "  weir scenario retry-storm --limit 10/1m --clients hammer:1s",
      "  weir scenario herd --assert 'max-overshoot<=1.0' --algorithms sliding-window"
    })
final class ScenarioCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = Names.class,
      description = "One of the scenarios above.")
  private String name = "";

  @Mixin private ComparisonOptions options = new ComparisonOptions();

  private ScenarioCommand() {}

  @Spec
  void describeScenarios(CommandSpec spec) {
    Stream<String> scenarios =
        Arrays.stream(Scenario.values())
            .map(scenario -> "  %-16s%s".formatted(scenario.label(), scenario.description()));
    spec.usageMessage()
        .description(
            Stream.of(
                    Stream.of(spec.usageMessage().description()),
                    Stream.of("", "Scenarios, with L for the limit and W for the window:"),
                    scenarios,
                    Stream.of(""))
                .flatMap(lines -> lines)
                .toArray(String[]::new));
  }

  @Override
  public Integer call() throws IOException {
    Scenario scenario = Scenario.named(name);
    options.checkOutputs(Optional.empty());
    try (Trace trace = scenario.trace(options.quota, options.seed)) {
      return options.compare(trace, scenario.clients());
    }
  }

  /** The names of all scenarios. */
  static final class Names implements Iterable<String> {

    Names() {}

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Scenario.values()).map(Scenario::label).iterator();
    }
  }
}
