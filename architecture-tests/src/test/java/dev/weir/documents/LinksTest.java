package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinksTest {

  @Test
  void everyLinkWithinTheProjectLeadsSomewhere() {
    List<String> dead = new ArrayList<>();
    int seen = 0;
    for (Document document : Document.all()) {
      for (String link : document.links()) {
        if (link.matches("(?i)(https?|mailto):.*")) {
          continue;
        }
        seen++;
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target =
            file.isEmpty() ? document.path() : document.path().resolveSibling(file).normalize();
        if (!Files.exists(target)) {
          dead.add(Document.ROOT.relativize(document.path()) + " -> " + link);
        } else if (hash >= 0
            && target.toString().endsWith(".md")
            && !Document.read(target).anchors().contains(link.substring(hash + 1))) {
          dead.add(Document.ROOT.relativize(document.path()) + " -> " + link + " (no such anchor)");
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(seen).isGreaterThan(20);
  }

  @Test
  void everyPageOfTheDocsIsReachedFromTheReadme() {
    List<Path> reached = new ArrayList<>(List.of(Document.ROOT.resolve("README.md")));
    for (int i = 0; i < reached.size(); i++) {
      Document document = Document.read(reached.get(i));
      for (String link : document.links()) {
        Path target = document.path().resolveSibling(link.replaceFirst("#.*", "")).normalize();
        if (link.contains(".md")
            && !link.startsWith("http")
            && Files.exists(target)
            && !reached.contains(target)) {
          reached.add(target);
        }
      }
    }
    assertThat(
            Document.all().stream()
                .map(Document::path)
                .filter(p -> p.startsWith(Document.ROOT.resolve("docs"))))
        .isSubsetOf(reached);
  }
}
