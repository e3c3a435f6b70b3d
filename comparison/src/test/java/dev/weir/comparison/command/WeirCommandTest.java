package dev.weir.comparison.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.comparison.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeirCommandTest {

  private static final String LINE =
      "10.0.0.1 - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 8677\n";

  record Run(int exit, String out, String err) {}

  @Test
  void aScenarioPrintsTheTableAndExitsWithZero() {
    Run run = run("scenario", "boundary-burst", "--store", "memory");
    assertThat(run.exit).isZero();
    assertThat(run.err).isEmpty();
    assertThat(run.out.lines().toList().subList(0, 6))
        .containsExactly(
            "boundary-burst: 200 requests by 1 key, 2025-12-31T23:59:59Z to"
                + " 2026-01-01T00:00:00.990Z",
            "limit 100/1m",
            "",
            "algorithm               store   admitted  denied  worst window  over  false  honest  tight"
                + "  mean wait  bytes/key  commands",
            "fixed-window            memory       200       0     200 2.00x   100      0       -      -"
                + "          -          -         -",
            "sliding-window          memory       100     100     100 1.00x     0      0    100%   100%"
                + "   58.505 s          -         -");
  }

  @ParameterizedTest
  @CsvSource({
    "max-overshoot<=1.0, fixed-window, 1",
    "max-overshoot<=2.0, fixed-window, 0",
    "max-overshoot<2, fixed-window, 1",
    "max-overshoot<=1.0, sliding-window, 0",
    "max-overshoot<=1.0, 'sliding-window,fixed-window', 1",
    "false-denials==0, all, 0",
    "honest>=100, all, 0",
    "honest<100, all, 1",
    "honest>=100, fixed-window, 0",
    "denied<=99, all, 1",
    "denied<=100, all, 0",
    "denied>99, all, 0"
  })
  void anAssertionDecidesTheExitCode(String condition, String algorithms, int exit) {
    Run run =
        run(
            "scenario",
            "boundary-burst",
            "--store",
            "memory",
            "--algorithms",
            algorithms,
            "--assert",
            condition,
            "--assert",
            "max-overshoot>=1");
    assertThat(run.exit).isEqualTo(exit);
    if (exit == 1) {
      assertThat(run.err).startsWith("weir: assertion " + condition + " failed: ").hasLineCount(1);
    } else {
      assertThat(run.err).isEmpty();
    }
  }

  @Test
  void everyFailedAssertionIsToldAndTheTableIsStillPrinted() {
    Run run =
        run(
            "scenario",
            "boundary-burst",
            "--store",
            "memory",
            "--assert",
            "max-overshoot<=1.0",
            "--assert",
            "denied<1");
    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).contains("token-bucket");
    assertThat(run.err.lines())
        .containsExactly(
            "weir: assertion max-overshoot<=1.0 failed: max-overshoot is 2 (fixed-window on memory)",
            "weir: assertion denied<1 failed: denied is 100 (sliding-window on memory)");
  }

  @Test
  void jsonOnStandardOutputIsAloneThere() throws IOException {
    Run run =
        run(
            "scenario",
            "herd",
            "--limit",
            "10/1s",
            "burst",
            "5",
            "--store",
            "memory",
            "--json",
            "-");
    assertThat(run.exit).isZero();
    assertThat(run.err).contains("token-bucket");
    JsonNode document = new ObjectMapper().readTree(run.out);
    assertThat(document.get("command").textValue())
        .isEqualTo("weir scenario herd --limit 10/1s burst 5 --store memory --json -");
    assertThat(document.get("limit").toString())
        .isEqualTo("{\"limit\":10,\"window_ms\":1000,\"burst\":5}");
    assertThat(document.get("results")).hasSize(4);
  }

  @Test
  void theSameCommandWritesTheSameBytes(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("poisson.json");
    String[] args = {
      "scenario", "poisson", "--limit", "20/1s", "--store", "memory", "--json", file.toString()
    };
    assertThat(run(args).exit).isZero();
    byte[] first = Files.readAllBytes(file);
    assertThat(run(args).exit).isZero();
    assertThat(Files.readAllBytes(file)).isEqualTo(first);
  }

  @Test
  void aLogIsReplayedWithItsFaultsTold(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("access.log");
    Files.writeString(log, LINE + "broken\n" + LINE.replace("06:00:04", "06:00:01") + LINE);
    Run run = run("replay", log.toString(), "--limit", "1/1s", "--store", "memory");
    assertThat(run.exit).isZero();
    assertThat(run.out.lines().toList().subList(0, 5))
        .containsExactly(
            "access.log: 3 requests by 1 key, 1995-08-01T06:00:01Z to 1995-08-01T06:00:04Z",
            "skipped 1 line that cannot be read, the first:",
            "  line 2: no identity and user after the host",
            "out of order: 1 step back, by 3.000 s at most; sorted by time",
            "limit 1/1s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "frobnicate | weir: Unmatched argument at index 0: 'frobnicate'",
        "scenario | weir: Missing required parameter: 'NAME'",
        "scenario nothing | weir: scenario is 'nothing', must be one of steady, boundary-burst",
        "scenario herd --limit 0/1s | weir: --limit: quota is '0/1s': limit is 0",
        "scenario herd --limit fast | weir: --limit: quota is 'fast', must be LIMIT/WINDOW",
        "scenario herd --store disk | weir: store 'disk' is not on the class path",
        "scenario herd --algorithms x --store memory | weir: algorithm 'x' is not on the class path",
        "scenario herd --assert speed>1 | weir: --assert is 'speed>1', its figure must be one of",
        "scenario herd --assert denied | weir: --assert is 'denied', must be FIGURE OPERATOR NUMBER",
        "scenario herd --redis localhost | weir: --redis must be a URI like redis://127.0.0.1:6379",
        "scenario herd --redis redis://h --store memory | weir: --redis names a server, but --store",
        "scenario herd --redis redis://127.0.0.1:1 | weir: cannot use Redis at redis://127.0.0.1:1",
        "replay no-such-file.log | weir: no-such-file.log: there is no such file",
        "replay . | weir: . is a directory, must be a file",
        "replay pom.xml --format clf | weir: pom.xml: none of its",
        "bench --concurrency 0 --store memory | weir: threads are 0, must be from 1 to 1000",
        "bench --seconds 0 --store memory | weir: the duration is PT0S, must be from 10 ms to an hour",
        "bench --peers --store memory | weir: --peers and --redis need --store redis or both",
        "bench --keys many | weir: Invalid value for option '--keys'",
        "replay pom.xml --format xml | weir: Invalid value for option '--format'"
      })
  void wrongUsageAndUnreadableInputAreOneLineAndExitWithTwo(String args, String message) {
    Run run = run(args.split(" "));
    assertThat(run.exit).isEqualTo(2);
    assertThat(run.out).isEmpty();
    assertThat(run.err).startsWith(message).hasLineCount(1);
  }

  @Test
  void anAssertionWithAMistakeIsRefusedBeforeTheReplay(@TempDir Path folder) {
    Path json = folder.resolve("x.json");
    Run run =
        run("scenario", "herd", "--store", "memory", "--json", json.toString(), "--assert", "x");
    assertThat(run.exit).isEqualTo(2);
    assertThat(json).doesNotExist();
  }

  @Test
  void explainShowsTheAnswersOfEveryAlgorithmToOneKey(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("access.log");
    Files.writeString(
        log,
        LINE.replace("/ HTTP", "/\u001b[31m HTTP")
            + LINE.replace("10.0.0.1", "10.0.0.2")
            + LINE.replace("06:00:04", "06:00:05"));
    Run run =
        run(
            "explain",
            log.toString(),
            "--key-value",
            "10.0.0.1",
            "--limit",
            "1/10s",
            "--algorithms",
            "fixed-window,token-bucket");
    assertThat(run.exit).isZero();
    assertThat(run.out.lines())
        .containsExactly(
            "10.0.0.1 in access.log: 2 requests from 1995-08-01T06:00:04Z to 1995-08-01T06:00:05Z,"
                + " limit 1/10s",
            "",
            "algorithm     first denial          admitted  denied  longest wait",
            "fixed-window  1995-08-01T06:00:05Z         1       1           5 s",
            "token-bucket  1995-08-01T06:00:05Z         1       1           9 s",
            "",
            "time (UTC)  request              fixed-window  token-bucket",
            "1995-08-01",
            "06:00:04    GET /?[31m HTTP/1.0  yes, 0 left   yes, 0 left",
            "06:00:05    GET / HTTP/1.0       NO, wait 5 s  NO, wait 9 s");
    Run denied =
        run("explain", log.toString(), "--key-value", "10.0.0.1", "--limit", "1/10s", "--denied");
    assertThat(denied.out).contains("06:00:05").doesNotContain("06:00:04    GET");
    Run nobody = run("explain", log.toString(), "--key-value", "10.0.0.3");
    assertThat(nobody.exit).isEqualTo(2);
    assertThat(nobody.err).isEqualTo("weir: access.log: there are no requests of key '10.0.0.3'\n");
  }

  @Test
  void inspectTellsPeaksAndProposesLimits(@TempDir Path folder) throws IOException {
    Path log = folder.resolve("access.log");
    Files.writeString(log, LINE.repeat(7) + LINE.replace("10.0.0.1", "10.0.0.2"));
    Run run = run("inspect", log.toString(), "--algorithms", "sliding-window");
    assertThat(run.exit).isZero();
    assertThat(run.out)
        .contains("access.log: 8 requests by 2 keys")
        .contains("times are whole multiples of 1s, in order")
        .contains("10.0.0.1             7  87.50%")
        .contains("10/1s   0.00% of 0.00%");
    Run json = run("inspect", log.toString(), "--json", "-");
    assertThat(new ObjectMapper().readTree(json.out).get("peaks")).hasSize(4);
  }

  @Test
  void theReportIsWritten(@TempDir Path folder) throws IOException {
    Path page = folder.resolve("r.html");
    Run run = run("scenario", "boundary-burst", "--store", "memory", "--report", page.toString());
    assertThat(run.exit).isZero();
    assertThat(Files.readString(page))
        .startsWith("<!DOCTYPE html>")
        .contains("weir scenario boundary-burst --store memory --report")
        .endsWith("</html>\n");
  }

  @Test
  void thePictureIsWritten(@TempDir Path folder) throws IOException {
    Path picture = folder.resolve("p.svg");
    Run run = run("scenario", "herd", "--store", "memory", "--picture", picture.toString());
    assertThat(run.exit).isZero();
    assertThat(Files.readString(picture)).startsWith("<svg ").endsWith("</svg>\n");
  }

  @Test
  void benchMeasuresEveryAlgorithmAtEveryConcurrency() throws IOException {
    Run run =
        run(
            "bench",
            "--store",
            "memory",
            "--concurrency",
            "1,3",
            "--seconds",
            "0.01",
            "--keys",
            "5",
            "--json",
            "-");
    assertThat(run.exit).isZero();
    assertThat(run.err).contains("limit 1000/1s, 5 keys;").contains("decisions/s");
    JsonNode document = new ObjectMapper().readTree(run.out);
    assertThat(document.get("schema").textValue()).isEqualTo("weir-bench/1");
    assertThat(document.get("results")).hasSize(8);
    for (JsonNode result : document.get("results")) {
      assertThat(result.get("decisions").longValue()).isPositive();
      assertThat(result.get("of_floor").isNull()).isTrue();
      assertThat(result.get("p50_us").doubleValue())
          .isLessThanOrEqualTo(result.get("p90_us").doubleValue());
      assertThat(result.get("p99_us").doubleValue())
          .isLessThanOrEqualTo(result.get("p999_us").doubleValue());
    }
  }

  @Test
  void theCompletionScriptKnowsCommandsOptionsAndNames() {
    Run run = run("generate-completion");
    assertThat(run.exit).isZero();
    assertThat(run.out)
        .startsWith("#!/usr/bin/env bash")
        .contains("complete -F _complete_weir")
        .contains("boundary-burst")
        .contains("--key-value")
        .contains("sliding-window-counter");
  }

  @Test
  void theAlgorithmsOfAThirdPartyTakePartByThemselves() {
    Run run = run("scenario", "steady", "--store", "foreign", "--limit", "10/10s");
    assertThat(run.exit).isZero();
    assertThat(run.out).contains("\nliar ").contains("\ndawdler ");
    Run one =
        run(
            "scenario",
            "steady",
            "--store",
            "foreign",
            "--limit",
            "10/10s",
            "--algorithms",
            "liar");
    assertThat(one.out).contains("\nliar ").doesNotContain("dawdler");
    assertThat(run("replay", "--help").out).containsPattern("dawdler,\\s+fixed-window,\\s+liar");
  }

  @Test
  void helpShowsEveryScenarioAndExamples() {
    Run run = run("scenario", "--help");
    assertThat(run.exit).isZero();
    assertThat(run.out).contains("Examples:");
    assertThat(Arrays.stream(Scenario.values()).map(Scenario::label))
        .allSatisfy(label -> assertThat(run.out).contains("  " + label));
  }

  @Test
  void commandLinesAreQuotedAsAShellTakesThem() {
    assertThat(WeirCommand.quoted("weir", Arrays.asList("a", "b c", "it's", "")))
        .isEqualTo("weir a 'b c' 'it'\\''s' ''");
  }

  @Test
  void helpOfACommandIsThatOfItsOption() {
    assertThat(run("help", "bench").out())
        .isEqualTo(run("bench", "--help").out())
        .contains("--peers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--json", "--report", "--picture"})
  void aResultThatCannotBeWrittenIsRefusedBeforeTheWork(String option, @TempDir Path folder) {
    Path nowhere = folder.resolve("missing").resolve("result");
    Run run = run("scenario", "steady", "--store", "memory", option, nowhere.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith(
            "weir: "
                + option
                + " is "
                + nowhere
                + ", but there is no directory "
                + nowhere.getParent()
                + ": make it first");
    assertThat(run("scenario", "steady", "--store", "memory", option, folder.toString()).err())
        .contains(option + " is " + folder + ", which is a directory, must be a file");
  }

  @Test
  void aResultNeverTakesThePlaceOfTheTraceOrOfAnother(@TempDir Path folder) throws IOException {
    Path trace = Files.writeString(folder.resolve("a.csv"), "time,key\n1,a\n");
    Path link = folder.resolve(".").resolve("a.csv");
    for (String option : List.of("--json", "--report", "--picture")) {
      Run run = run("replay", trace.toString(), "--store", "memory", option, link.toString());
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains("which is the trace, too: name another file");
    }
    assertThat(run("inspect", trace.toString(), "--json", trace.toString()).exit()).isEqualTo(2);
    assertThat(trace).hasContent("time,key\n1,a\n");

    String one = folder.resolve("one").toString();
    Run twice = run("scenario", "steady", "--store", "memory", "--json", one, "--report", one);
    assertThat(twice.exit()).isEqualTo(2);
    assertThat(twice.err()).contains("which is that of --json, too: name another file");
  }

  @Test
  void anEndBeforeTheStartIsToldInPlainWords(@TempDir Path folder) throws IOException {
    Path trace = Files.writeString(folder.resolve("a.csv"), "time,key\n1,a\n");
    String from = "2026-03-01T12:00:20Z";
    String to = "2026-03-01T12:00:10Z";
    assertThat(run("inspect", trace.toString(), "--from", from, "--to", to).err())
        .startsWith("weir: the end, " + to + ", must be after the start, " + from);
  }

  private static Run run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = WeirCommand.run(args, new PrintWriter(out), new PrintWriter(err));
    return new Run(exit, out.toString(), err.toString());
  }
}
