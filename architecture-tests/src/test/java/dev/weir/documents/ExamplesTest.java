package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExamplesTest {

  private static final Pattern ARTIFACT =
      Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");

  /** Where the root POM keeps the version of what an example names. */
  private static final Map<String, String> PROPERTIES =
      Map.of(
          "maven-clean-plugin", "clean-plugin.version",
          "maven-resources-plugin", "resources-plugin.version",
          "maven-compiler-plugin", "compiler-plugin.version",
          "maven-surefire-plugin", "surefire-plugin.version",
          "maven-jar-plugin", "jar-plugin.version",
          "junit-jupiter", "junit.version");

  /**
   * An example is copied as it stands, so its POM has versions of its own; they are those of the
   * build.
   */
  @Test
  void anExampleNamesTheVersionsOfTheBuild() throws IOException {
    String root = Files.readString(Document.ROOT.resolve("pom.xml"));
    List<Path> poms;
    try (Stream<Path> files = Files.walk(Document.ROOT.resolve("examples"), 2)) {
      poms = files.filter(file -> file.endsWith("pom.xml")).toList();
    }
    assertThat(poms).hasSizeGreaterThanOrEqualTo(3);
    List<String> astray = new ArrayList<>();
    for (Path pom : poms) {
      String text = Files.readString(pom);
      assertThat(property(text, "weir.version")).isEqualTo(version(root));
      Matcher matcher = ARTIFACT.matcher(text.substring(text.indexOf("<dependencies>")));
      while (matcher.find()) {
        String artifact = matcher.group(1);
        String expected =
            artifact.startsWith("weir-")
                ? "${weir.version}"
                : property(root, PROPERTIES.getOrDefault(artifact, artifact + " is in no list"));
        if (!matcher.group(2).equals(expected)) {
          astray.add(
              pom + ": " + artifact + " " + matcher.group(2) + ", the build has " + expected);
        }
      }
    }
    assertThat(astray).isEmpty();
  }

  private static String version(String root) {
    Matcher matcher =
        Pattern.compile("<artifactId>weir</artifactId>\\s*<version>([^<]+)<").matcher(root);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private static String property(String pom, String name) {
    Matcher matcher = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(pom);
    return matcher.find() ? matcher.group(1) : "nothing";
  }
}
