package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.Quota;
import dev.weir.comparison.Clients;
import dev.weir.comparison.Comparison;
import dev.weir.comparison.ComparisonResult;
import dev.weir.comparison.Result;
import dev.weir.comparison.Trace;
import dev.weir.comparison.TraceFormat;
import dev.weir.comparison.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/comparison.md shows is what there is. */
class GuideTest {

  private static final Path GUIDE = Path.of("../docs/comparison.md");
  private static final Path THIS =
      Path.of("src/test/java/dev/weir/comparison/command/GuideTest.java");

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandOfTheGuideIsUnderstood(String command) {
    List<String> words = words(command.substring(command.indexOf("./weir ") + 7));
    assertThatCode(() -> WeirCommand.line().parseArgs(words.toArray(String[]::new)))
        .as(command)
        .doesNotThrowAnyException();
  }

  static List<String> commands() throws IOException {
    return Files.readAllLines(GUIDE).stream()
        .filter(line -> line.matches("(WEIR_CLASSPATH=\\S+ )?\\./weir [a-z].*"))
        .toList();
  }

  /** The words that a shell would give to the command. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = Pattern.compile("'([^']*)'|(\\S+)").matcher(line);
    while (matcher.find()) {
      String plain = matcher.group(2);
      if (plain != null && plain.matches("[#<>|].*")) {
        break;
      }
      words.add(plain == null ? matcher.group(1) : plain);
    }
    return words;
  }

  @Test
  void theExampleOfTheGuideIsCompiledHere() throws IOException {
    Matcher example =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(GUIDE));
    assertThat(example.find()).isTrue();
    assertThat(lines(Files.readString(THIS))).contains(lines(example.group(1)));
  }

  private static String lines(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  @Test
  void theExampleOfTheGuideWorks(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("access.log");
    Files.writeString(log, "h - jane [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1\n");
    Path page = folder.resolve("page.html");
    compare(log, page);
    assertThat(page).content().contains("nightly");
  }

  private static void compare(Path log, Path page) throws IOException {
    TraceReader reader = TraceReader.of(TraceFormat.AUTO).withKeyField("user");
    try (Trace trace = reader.read(log)) {
      Comparison comparison =
          Comparison.of(trace)
              .with(Quota.parse("100/1m"))
              .with(Clients.obey())
              .algorithms(List.of("sliding-window", "token-bucket"));
      ComparisonResult result = comparison.run();
      for (Result each : result.results()) {
        System.out.println(each.algorithm() + " denied " + each.denied());
      }
      Files.writeString(page, comparison.report().toHtml("nightly"));
    }
  }
}
