package dev.weir.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.weir.architecture.Sources.SHIPPED;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/** The arrows of the design: who may know whom. */
class ArrowsTest {

  private static final String[] CORE = {"dev.weir", "dev.weir.internal.."};
  private static final String[] JAVA = {"java..", "org.jspecify.annotations.."};
  private static final String[] STRATEGIES = {
    "dev.weir.redis.fixedwindow..", "dev.weir.redis.slidingwindow..", "dev.weir.redis.tokenbucket.."
  };

  @Test
  void coreKnowsOnlyTheJdk() {
    classes()
        .that()
        .resideInAnyPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(with(CORE, JAVA))
        .check(SHIPPED);
  }

  @Test
  void theLimitersInMemoryKnowOnlyCore() {
    classes()
        .that()
        .resideInAPackage("dev.weir.memory..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(with(CORE, with(JAVA, "dev.weir.memory..")))
        .check(SHIPPED);
  }

  @Test
  void theSuiteKnowsOnlyCoreAndItsEngine() {
    classes()
        .that()
        .resideInAPackage("dev.weir.conformance..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            with(
                CORE,
                with(
                    JAVA,
                    "dev.weir.conformance..",
                    "net.jqwik..",
                    "org.junit.platform..",
                    "org.apiguardian..")))
        .check(SHIPPED);
  }

  @Test
  void theFilterKnowsOnlyCoreAndTheServletApi() {
    classes()
        .that()
        .resideInAPackage("dev.weir.servlet..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(with(CORE, with(JAVA, "dev.weir.servlet..", "jakarta.servlet..")))
        .check(SHIPPED);
  }

  @Test
  void theDenialCacheKnowsOnlyCoreAndItsCache() {
    classes()
        .that()
        .resideInAPackage("dev.weir.denialcache..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            with(CORE, with(JAVA, "dev.weir.denialcache..", "com.github.benmanes.caffeine..")))
        .check(SHIPPED);
  }

  @Test
  void onlyTheDenialCacheImportsItsCache() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.denialcache..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.github.benmanes.caffeine..")
        .check(SHIPPED);
  }

  @Test
  void theAlgorithmsOnRedisKnowOnlyCoreAndTheirSupport() {
    classes()
        .that()
        .resideInAnyPackage(STRATEGIES)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            with(CORE, with(JAVA, with(STRATEGIES, "dev.weir.redis", "org.redisson.."))))
        .check(SHIPPED);
  }

  @Test
  void theAlgorithmsOnRedisDoNotKnowEachOther() {
    slices().matching("dev.weir.redis.(*)..").should().notDependOnEachOther().check(SHIPPED);
  }

  @Test
  void theSupportOfRedisDoesNotKnowItsAlgorithms() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.redis")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(STRATEGIES)
        .check(SHIPPED);
  }

  @Test
  void onlyTheRedisModulesAndTheCommandImportRedisson() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.weir.redis..", "dev.weir.comparison..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.redisson..")
        .check(SHIPPED);
  }

  @Test
  void onlyTheSuiteImportsItsEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.conformance..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.jqwik..", "org.junit..")
        .check(SHIPPED);
  }

  @Test
  void withinTheSuiteThePlainJavaPartDoesNotKnowTheEngine() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.conformance.internal")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("net.jqwik..")
        .check(SHIPPED);
  }

  @Test
  void nobodyKnowsTheCommand() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.comparison..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.weir.comparison..")
        .check(SHIPPED);
  }

  @Test
  void whatIsInternalToOneModuleIsUsedByThatModuleOnly() {
    for (String module : new String[] {"memory", "conformance"}) {
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.weir." + module + "..")
          .should()
          .dependOnClassesThat(
              new DescribedPredicate<JavaClass>("are internal to " + module) {
                @Override
                public boolean test(JavaClass type) {
                  return type.getPackageName().startsWith("dev.weir." + module + ".internal");
                }
              })
          .check(SHIPPED);
    }
  }

  private static String[] with(String[] some, String... more) {
    String[] all = java.util.Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }
}
