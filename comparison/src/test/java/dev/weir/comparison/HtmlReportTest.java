package dev.weir.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Quota;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class HtmlReportTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void everyScenarioHasAPageThatStandsAlone(Scenario scenario) throws Exception {
    Quota quota = Quota.parse("20/60s");
    String page =
        Comparison.of(scenario.trace(quota, 1))
            .with(quota)
            .with(scenario.clients())
            .report()
            .toHtml("weir scenario " + scenario.label());
    assertThat(page).hasSizeLessThan(1 << 20).contains("weir scenario " + scenario.label());
    assertStandsAlone(page);
    assertThat(headings(page))
        .containsSubsequence(
            "Verdict",
            "The worst moment of each algorithm",
            "The whole trace",
            "How far keys go beyond the limit",
            "The wait that is told and the wait that is needed",
            "What a decision costs",
            "How to read it");
  }

  @Test
  void aPageOfManyKeysAndRequestsStaysSmall() throws Exception {
    Trace.Builder trace = Trace.builder("many");
    for (int i = 0; i < 200_000; i++) {
      trace.add(START.plusNanos(i * 7_919_000L), "key" + (i * 31L % 5_003), 1 + i % 3);
      trace.add(START.plusNanos(i * 7_919_000L), "hot", 1);
    }
    Quota quota = Quota.parse("100/10s");
    String page = Comparison.of(trace.build()).with(quota).report().toHtml("weir");
    assertThat(page).hasSizeLessThan(1 << 20);
    assertStandsAlone(page);
  }

  @Test
  void whatComesFromOutsideIsShownAsText() throws Exception {
    String evil = "<script>alert('x')</script>&\"\u0007\uD800";
    Trace trace = Trace.builder(evil).add(START, evil, 1).add(START, evil, 1).build();
    String page = Comparison.of(trace).with(Quota.parse("1/1s")).report().toHtml(evil);
    assertStandsAlone(page);
    assertThat(page).contains("&lt;script&gt;alert('x')&lt;/script&gt;&amp;&quot;\uFFFD\uFFFD");
  }

  @Test
  void nothingAdmittedIsSaid() throws Exception {
    Trace trace = Trace.builder("large").add(START, "a", 5).build();
    String page = Comparison.of(trace).with(Quota.parse("1/1s")).report().toHtml("weir");
    assertStandsAlone(page);
    assertThat(page).contains("<b>fixed-window</b> admitted nothing.");
  }

  @Test
  void theWorstCellsAreMarkedByShapeAsWellAsColour() {
    Quota quota = Quota.parse("100/60s");
    String page = Comparison.of(Scenario.BOUNDARY_BURST.trace(quota, 1)).report().toHtml("weir");
    assertThat(page)
        .contains("<td class=\"worst\">▲ 200</td><td class=\"worst\">▲ 2.00</td>")
        .contains("<b>fixed-window</b> let 2.00 times the limit through in one window")
        .contains("<b>sliding-window</b> never let more than the limit through");
  }

  @Test
  void theSamePageComesOutTwice() {
    Quota quota = Quota.parse("10/1s");
    Comparison comparison = Comparison.of(Scenario.POISSON.trace(quota, 3)).with(quota);
    assertThat(comparison.report().toHtml("weir")).isEqualTo(comparison.report().toHtml("weir"));
  }

  @Test
  void theFiguresOfAReportAreThoseOfARun() {
    Quota quota = Quota.parse("10/1s");
    Comparison comparison = Comparison.of(Scenario.ON_OFF.trace(quota, 1)).with(quota);
    assertThat(comparison.report().result()).isEqualTo(comparison.run());
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void everyScenarioHasAPictureThatIsAFileOfItsOwn(Scenario scenario) throws Exception {
    Quota quota = Quota.parse("20/60s");
    String picture =
        Comparison.of(scenario.trace(quota, 1))
            .with(quota)
            .with(scenario.clients())
            .report()
            .toSvg();
    assertThat(picture).startsWith("<svg xmlns=").doesNotContain("NaN").hasSizeLessThan(1 << 17);
    assertThat(parsed(picture).getElementsByTagName("title").getLength()).isEqualTo(1);
  }

  @Test
  void thePictureOfTheReadmeIsTheOneThatTheCommandDraws() throws Exception {
    Quota quota = Quota.parse("100/1m");
    String picture =
        Comparison.of(Scenario.BOUNDARY_BURST.trace(quota, 1)).with(quota).report().toSvg();
    assertThat(Path.of("../docs/pictures/boundary-burst.svg"))
        .as("make it anew: ./weir scenario boundary-burst --picture FILE")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(picture);
  }

  /** The page has no script, asks for nothing, is balanced, and every drawing has a title. */
  private static void assertStandsAlone(String page) throws Exception {
    assertThat(page).doesNotContain("<script").doesNotContain("http:").doesNotContain("https:");
    assertThat(page).doesNotContain("@import").doesNotContain("url(").doesNotContain("NaN");
    String balanced =
        page.replaceFirst("<!DOCTYPE html>", "").replaceAll("<(meta|link)([^>]*)>", "<$1$2/>");
    Element root = parsed(balanced);
    for (int i = 0; i < root.getElementsByTagName("svg").getLength(); i++) {
      Element svg = (Element) root.getElementsByTagName("svg").item(i);
      assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isNotBlank();
    }
  }

  private static Element parsed(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)))
        .getDocumentElement();
  }

  private static List<String> headings(String page) {
    List<String> headings = new ArrayList<>();
    Matcher matcher = Pattern.compile("<h2>([^<]*)</h2>").matcher(page);
    while (matcher.find()) {
      headings.add(matcher.group(1));
    }
    return headings;
  }
}
