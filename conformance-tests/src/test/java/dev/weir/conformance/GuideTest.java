package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.conformance.mutants.MutantsOfRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The author's guide names what there is. */
class GuideTest {

  private static final Pattern NAME =
      Pattern.compile("`([A-Z][A-Za-z]+(?:Test|Properties|Contract)?)`");

  private static String guide() throws IOException {
    return Files.readString(Path.of("../docs/conformance.md"));
  }

  private static List<String> caseRows() throws IOException {
    String guide = guide();
    return guide
        .substring(guide.indexOf("| case | fault | here |"))
        .lines()
        .skip(2)
        .filter(line -> line.startsWith("|"))
        .toList();
  }

  @Test
  void itNamesEveryFeature() throws IOException {
    assertThat(guide()).contains(Arrays.stream(Feature.values()).map(f -> "`" + f + "`").toList());
  }

  @Test
  void itShowsTheReportAsItIs() throws IOException {
    assertThat(guide())
        .contains(Files.readString(Path.of("src/test/resources/reports/CountsDenials.txt")));
  }

  @Test
  void everyCaseIsMappedOnce() throws IOException {
    List<String> numbers =
        caseRows().stream()
            .flatMap(row -> Arrays.stream(row.split("\\|")[1].split(",")))
            .map(String::strip)
            .toList();
    assertThat(numbers).doesNotHaveDuplicates().hasSize(65);
  }

  @Test
  void everyMutantAndTestThatACaseNamesExists() throws IOException {
    Set<String> mutants =
        Arrays.stream(Rule.values())
            .flatMap(rule -> MutantsOfRules.of(rule).stream())
            .collect(Collectors.toSet());
    Set<String> sources;
    try (Stream<Path> files = Files.find(Path.of(".."), 12, (path, attributes) -> isSource(path))) {
      sources =
          files
              .map(path -> path.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
    }
    for (String row : caseRows()) {
      assertThat(NAME.matcher(row).results().map((MatchResult name) -> name.group(1)))
          .as(row)
          .allSatisfy(
              name -> assertThat(mutants.contains(name) || sources.contains(name)).isTrue());
    }
  }

  /** Of the form {@code 1.1, 2.2 (`Mutant`, `Mutant`)}. */
  private static final Pattern FOUND =
      Pattern.compile("((?:\\d+\\.\\d, )*\\d+\\.\\d) \\((`[^)]+`)\\)");

  @Test
  void everyRuleThatACaseNamesIsBrokenByTheMutantBehindIt() throws IOException {
    for (String row : caseRows()) {
      FOUND
          .matcher(row)
          .results()
          .forEach(
              found -> {
                List<String> mutants = List.of(found.group(2).replace("`", "").split(", "));
                for (String id : found.group(1).split(", ")) {
                  assertThat(MutantsOfRules.of(Rule.of(id))).as(row).containsAnyElementsOf(mutants);
                }
              });
    }
  }

  private static boolean isSource(Path path) {
    String text = path.toString();
    return text.endsWith(".java") && text.contains("src") && !text.contains("target");
  }
}
