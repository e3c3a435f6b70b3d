package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The code that the pages show is code that compiles. */
class CodeBlocksTest {

  /**
   * What a reader brings along: the things that the blocks name without making them. A block that
   * needs a library that is not here stands word for word in a source that another part of the
   * build compiles.
   */
  private static final String BEFORE =
      """
      import dev.weir.*;
      import dev.weir.comparison.*;
      import dev.weir.conformance.*;
      import dev.weir.denialcache.*;
      import dev.weir.memory.*;
      import dev.weir.redis.*;
      import dev.weir.redis.fixedwindow.*;
      import dev.weir.redis.slidingwindow.*;
      import dev.weir.redis.tokenbucket.*;
      import dev.weir.servlet.*;
      import jakarta.servlet.*;
      import jakarta.servlet.http.*;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.concurrent.atomic.*;
      import org.redisson.*;
      import org.redisson.api.*;
      import org.redisson.config.*;
      import org.junit.jupiter.api.Test;

      class Page {
        Config config;
        RedissonClient redisson;
        RateLimiter limiter, primary, loginLimiter, apiLimiter, perAccount;
        WaitingRateLimiter waiting;
        RateLimiterListener metrics;
        LongAdder admitted, denied, unavailable;
        List<String> alerts;
        Executor executor;
        ServletContext context;
        ServletContextEvent event;
        HttpServletRequest request;
        Path log;
        Trace trace;
        String name;
        boolean isSearch(HttpServletRequest request) { return false; }
        void callTheApi(Decision decision) {}
        static class TooManyRequests extends RuntimeException { TooManyRequests(Duration wait) {} }
      """;

  private static final String AFTER =
      """

      class MyLimiter implements RateLimiter {
        MyLimiter(Policy policy, InstantSource clock) {}
        public Policy policy() { return null; }
        public Decision tryAcquire(String key, long permits) { return null; }
        public CompletionStage<Decision> tryAcquireAsync(String key, long permits) { return null; }
        public Decision peek(String key, long permits) { return null; }
        public void reset(String key) {}
      }

      class PaceLimiter extends MyLimiter {
        PaceLimiter(Policy policy, InstantSource clock) { super(policy, clock); }
      }
      """;

  /** The test of that limiter, which a page makes first and then speaks of. */
  private static final String ITS_TEST =
      """

      class MyLimiterTest extends FixedWindowConformance {
        @Override
        protected RateLimiter create(FixedWindowPolicy policy, Fixture fixture) {
          return new MyLimiter(policy, fixture.clock());
        }
      }
      """;

  private static final Pattern MEMBER =
      Pattern.compile(
          "\\A(?:\\s*//[^\\n]*\\n|\\s*@\\w+(?:\\([^)]*\\))?\\s)*\\s*(?:public |final |static |abstract )*"
              + "(?:class|interface|record|enum) .*",
          Pattern.DOTALL);

  @Test
  void everyJavaBlockCompiles() {
    List<Document.Block> blocks = blocks("java");
    assertThat(blocks).hasSizeGreaterThan(10);
    String compiledElsewhere = sources();
    Map<Integer, String> pages = new TreeMap<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (!compiledElsewhere.contains(squeeze(blocks.get(i).text()))) {
        pages.put(i, page(blocks.get(i).text()));
      }
    }
    List<String> broken = new ArrayList<>();
    compile(pages)
        .forEach(
            (i, errors) ->
                broken.add(blocks.get(i) + "\n  " + errors + "\n" + blocks.get(i).text()));
    assertThat(broken).isEmpty();
  }

  @Test
  void aBlockThatDoesNotCompileIsNoticed() {
    String block = "RateLimiter limiter = RedisSlidingWindow.create(redisson);";
    assertThat(compile(Map.of(0, page(block)))).containsOnlyKeys(0);
  }

  @Test
  void everyDependencyShownIsAModuleOfThisBuild() {
    Pattern artifact = Pattern.compile("<artifactId>(weir[a-z-]*)</artifactId>");
    TreeSet<String> shown = new TreeSet<>();
    for (Document.Block block : blocks("xml")) {
      Matcher matcher = artifact.matcher(block.text());
      while (matcher.find()) {
        shown.add(matcher.group(1));
      }
    }
    assertThat(shown).isNotEmpty().isSubsetOf(artifacts());
  }

  private static List<Document.Block> blocks(String language) {
    return Document.all().stream()
        .flatMap(document -> document.blocks().stream())
        .filter(block -> block.language().equals(language))
        .toList();
  }

  private static String page(String block) {
    String imports =
        block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String code =
        block
            .lines()
            .filter(line -> !line.startsWith("import ") && !line.startsWith("package "))
            .collect(Collectors.joining("\n"));
    if (code.startsWith("@Test")) {
      return imports + "\n" + BEFORE + code + "\n}\n" + AFTER + ITS_TEST;
    }
    if (MEMBER.matcher(code).matches()) {
      String members =
          code.replaceAll("(?m)^public (?=(final |abstract )*(class|record|interface|enum) )", "");
      return imports + "\n" + BEFORE + "}\n" + AFTER + members;
    }
    // Lines that start with a dot are choices within the builder of the filter.
    String statements =
        code.replaceAll(
            "(?m)^(\\..*?)(\\s+//.*)?$", "RateLimitFilter.builder(limiter)$1.build();$2");
    return imports
        + "\n"
        + BEFORE
        + "  void block() throws Exception {\n"
        + statements
        + "\n  }\n}\n"
        + AFTER;
  }

  /** Compiles each page in a package of its own and returns the errors by the page's number. */
  private static Map<Integer, List<String>> compile(Map<Integer, String> pages) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<JavaFileObject> sources = new ArrayList<>();
    pages.forEach((number, text) -> sources.add(new Source(number, text)));
    ToolProvider.getSystemJavaCompiler()
        .getTask(
            new StringWriter(),
            null,
            diagnostics,
            List.of(
                "-proc:none",
                "-Xmaxerrs",
                "1000",
                "-d",
                target().toString(),
                "-cp",
                System.getProperty("java.class.path")),
            null,
            sources)
        .call();
    return diagnostics.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .collect(
            Collectors.groupingBy(
                diagnostic -> ((Source) diagnostic.getSource()).number,
                TreeMap::new,
                Collectors.mapping(
                    diagnostic -> diagnostic.getMessage(Locale.ROOT), Collectors.toList())));
  }

  private static final class Source extends SimpleJavaFileObject {
    private final int number;
    private final String text;

    Source(int number, String text) {
      super(URI.create("string:///page" + number + "/Page.java"), JavaFileObject.Kind.SOURCE);
      this.number = number;
      this.text = "package page" + number + ";\n" + text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static Path target() {
    try {
      return Files.createDirectories(Path.of("target/code-blocks"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sources() {
    try (Stream<Path> files = Files.walk(Document.ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.toString().contains("/target/"))
          .map(CodeBlocksTest::read)
          .map(CodeBlocksTest::squeeze)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> artifacts() {
    Pattern artifact = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    try (Stream<Path> folders = Files.list(Document.ROOT)) {
      return folders
          .map(folder -> folder.resolve("pom.xml"))
          .filter(Files::exists)
          .map(CodeBlocksTest::read)
          .map(artifact::matcher)
          .filter(Matcher::find)
          .map(matcher -> matcher.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without the white space, in which a page and a source may differ. */
  private static String squeeze(String code) {
    return code.replaceAll("\\s+", "");
  }
}
