package dev.weir.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of Markdown: its text, its code blocks, its links and its anchors. */
record Document(Path path, List<String> lines) {

  /** The root of the checkout. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern PICTURE = Pattern.compile("(?:src|srcset|href)=\"([^\"]+)\"");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\">");

  /** A fenced block: its language and its lines, without the indentation of the fence. */
  record Block(Document document, int line, String language, String text) {
    @Override
    public String toString() {
      return ROOT.relativize(document.path()) + ":" + line;
    }
  }

  /** The pages that users read. */
  static List<Document> all() {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> examples =
            Files.exists(ROOT.resolve("examples"))
                ? Files.walk(ROOT.resolve("examples"), 2)
                : Stream.empty()) {
      return Stream.of(top, docs, examples)
          .flatMap(paths -> paths)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .map(Document::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Document read(Path path) {
    try {
      return new Document(path, Files.readAllLines(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    StringBuilder text = null;
    String fence = "";
    String language = "";
    int start = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String stripped = line.strip();
      if (text == null && stripped.startsWith("```")) {
        fence = line.substring(0, line.indexOf('`'));
        language = stripped.substring(3).strip();
        text = new StringBuilder();
        start = i + 1;
      } else if (text != null && stripped.equals("```")) {
        blocks.add(new Block(this, start, language, text.toString()));
        text = null;
      } else if (text != null) {
        text.append(line.startsWith(fence) ? line.substring(fence.length()) : line).append('\n');
      }
    }
    return blocks;
  }

  /** Where the page points to, outside its code blocks. */
  List<String> links() {
    List<String> links = new ArrayList<>();
    for (String line : prose()) {
      String withoutCode = line.replaceAll("`[^`]*`", "");
      for (Pattern pattern : List.of(LINK, PICTURE)) {
        Matcher matcher = pattern.matcher(withoutCode);
        while (matcher.find()) {
          links.add(matcher.group(1));
        }
      }
    }
    return links;
  }

  /**
   * What a link may name behind the number sign: headings as GitHub spells them, and written
   * anchors.
   */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    for (String line : prose()) {
      if (line.startsWith("#")) {
        String heading = line.replaceFirst("^#+\\s*", "").strip().toLowerCase(Locale.ROOT);
        anchors.add(
            heading
                .replaceAll("<[^>]*>", "")
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-'));
      }
      Matcher matcher = ANCHOR.matcher(line);
      while (matcher.find()) {
        anchors.add(matcher.group(1));
      }
    }
    return anchors;
  }

  private List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : lines) {
      if (line.strip().startsWith("```")) {
        code = !code;
      } else if (!code) {
        prose.add(line);
      }
    }
    return prose;
  }
}
