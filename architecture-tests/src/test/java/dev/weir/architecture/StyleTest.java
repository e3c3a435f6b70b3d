package dev.weir.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.weir.architecture.Sources.SHIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Test;

/** Names, time and sleeps. */
class StyleTest {

  @Test
  void noClassHasANameThatSaysNothing() {
    noClasses()
        .should()
        .haveNameMatching(".*(Impl|Manager|Helper|Helpers|Util|Utils)(\\$.*)?")
        .check(SHIPPED);
  }

  @Test
  void classesAreFinalUnlessTheyAreMadeToBeExtended() {
    classes()
        .that(
            new DescribedPredicate<JavaClass>(
                "are exported top-level classes other than exceptions") {
              @Override
              public boolean test(JavaClass type) {
                return type.getModifiers().contains(JavaModifier.PUBLIC)
                    && type.isTopLevelClass()
                    && !type.isInterface()
                    && !type.isEnum()
                    && !type.isAnnotation()
                    && !type.isAssignableTo(Throwable.class)
                    && !type.getModifiers().contains(JavaModifier.ABSTRACT)
                    && !type.getPackageName().contains("internal");
              }
            })
        .should()
        .haveModifier(JavaModifier.FINAL)
        .check(SHIPPED);
  }

  /**
   * Whoever reads a clock in a second place decides by a second time. The limiters in memory read
   * {@code SteadyClock}, those on Redis the server's; the suite starts its real-time runs, and the
   * filter turns a wait into epoch seconds.
   */
  @Test
  void theTimeOfDayIsReadInOnePlaceAModule() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weir.memory.SteadyClock")
        .and()
        .doNotHaveFullyQualifiedName("dev.weir.conformance.internal.Run")
        .and()
        .doNotHaveFullyQualifiedName("dev.weir.comparison.command.PingServer")
        .and()
        .haveNameNotMatching("dev\\.weir\\.servlet\\.RateLimitFilter(\\$.*)?")
        .should()
        .accessTargetWhere(
            call("java\\.time\\.(Instant|LocalDateTime|ZonedDateTime|OffsetDateTime)", "now")
                .or(call("java\\.time\\.(Clock|InstantSource)", "system.*"))
                .or(call("java\\.lang\\.System", "currentTimeMillis"))
                .or(call("java\\.util\\.Date", "<init>")))
        .check(SHIPPED);
  }

  @Test
  void nothingShippedSleeps() {
    noClasses().should().accessTargetWhere(sleep()).check(SHIPPED);
  }

  @Test
  void noTestSleeps() {
    JavaClasses tests = Sources.tests();
    assertThat(tests.size()).isGreaterThan(100);
    noClasses().should().accessTargetWhere(sleep()).check(tests);
  }

  private static DescribedPredicate<JavaAccess<?>> sleep() {
    return call("java\\.lang\\.Thread", "sleep")
        .or(call("java\\.util\\.concurrent\\.TimeUnit", "sleep"))
        .or(call("java\\.util\\.concurrent\\.locks\\.LockSupport", "parkNanos|parkUntil"));
  }

  private static DescribedPredicate<JavaAccess<?>> call(String owners, String names) {
    return target(owner(nameMatching(owners)))
        .and(target(nameMatching(names)))
        .as("a call of %s.%s", owners, names);
  }
}
