package dev.weir.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes and the modules that the rules are about. */
final class Sources {

  /** What users get: the main classes of every module on the class path. */
  static final JavaClasses SHIPPED =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir");

  /** The root of the checkout. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private Sources() {}

  /** The modules: the folders of the root with a POM. */
  static List<Path> modules() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders.filter(folder -> Files.exists(folder.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The compiled tests of every module that has been built. */
  static JavaClasses tests() {
    return new ClassFileImporter()
        .importPaths(
            modules().stream()
                .map(module -> module.resolve("target/test-classes"))
                .filter(Files::exists)
                .toList());
  }
}
