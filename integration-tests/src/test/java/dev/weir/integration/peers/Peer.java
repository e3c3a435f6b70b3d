package dev.weir.integration.peers;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Supports;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A peer on the stand.
 *
 * @param name what it is called
 * @param library a class of its artifact
 * @param algorithm what it promises, in whose words
 * @param adapter how it was put to the test
 * @param parts what is run
 * @param tries how many traces each rule was tried with
 * @param notOffered why a feature was not declared
 * @param leftOut why a rule that needs no more than the declared features was left out
 * @param remarks what to know about a rule that is broken
 * @param known what is known of it beside
 */
record Peer(
    String name,
    Class<?> library,
    String algorithm,
    String adapter,
    List<Part> parts,
    int tries,
    Map<Feature, String> notOffered,
    Map<Rule, String> leftOut,
    Map<Rule, String> remarks,
    List<String> known) {

  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d.*)\\.jar");

  /**
   * A part of what is run on a peer.
   *
   * @param suite extends the suite of the peer's algorithm
   * @param rules the rules that it is run for; empty for all that are not left out
   */
  record Part(Class<?> suite, Rule... rules) {

    boolean isFor(Rule rule, Peer peer) {
      return rules.length == 0
          ? !peer.leftOut().containsKey(rule)
          : Arrays.asList(rules).contains(rule);
    }
  }

  /** What is declared in any part. */
  Set<Feature> declared() {
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    for (Part part : parts) {
      Supports supports = part.suite().getAnnotation(Supports.class);
      Set<Feature> declared = EnumSet.noneOf(Feature.class);
      declared.addAll(Arrays.asList(supports.value()));
      declared.addAll(Arrays.asList(supports.also()));
      declared.removeAll(Arrays.asList(supports.except()));
      features.addAll(declared);
    }
    return features;
  }

  /** The artifact and its version, by the jar that is on the class path. */
  String artifact() {
    try {
      Path jar = Path.of(library.getProtectionDomain().getCodeSource().getLocation().toURI());
      Matcher matcher = JAR.matcher(String.valueOf(jar.getFileName()));
      if (!matcher.matches()) {
        throw new IllegalStateException(jar + " has no version");
      }
      return matcher.group(1) + " " + matcher.group(2);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
