package dev.weir.integration.peers;

import dev.weir.conformance.Feature;
import dev.weir.conformance.Rule;
import dev.weir.conformance.Violation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the page on the peers. */
final class PeersPage {

  private final List<String> lines = new ArrayList<>();

  private PeersPage() {}

  static String of(Map<Peer, Map<Rule, Optional<Violation>>> results) {
    PeersPage page = new PeersPage();
    page.introduction();
    page.overview(results);
    results.forEach(page::section);
    return String.join("\n", page.lines) + "\n";
  }

  private void add(String... more) {
    lines.addAll(List.of(more));
  }

  private void introduction() {
    add(
        "# Peers on the stand",
        "",
        "Five other limiters for Java, run through the conformance suite of this library, by what"
            + " they promise themselves:",
        "a feature that a peer does not offer is not declared, and the rules that need it are not"
            + " run. The rules are in",
        "[rules.md](rules.md), how a limiter is put to the test is in [conformance.md](conformance.md)."
            + " They are our rules, not those of the",
        "peers: a rule that is broken here may be one that its authors never meant to keep, and what"
            + " is known of that is said with it.",
        "",
        "This page is written by `PeersTest` in `integration-tests` from a run, which also fails when"
            + " a run finds anything else. Traces come",
        "from the seed "
            + Stand.SEED
            + ", and a rule counts as kept if none of them breaks it."
            + " Quotations are from the peers' own"
            + " documentation.");
  }

  private void overview(Map<Peer, Map<Rule, Optional<Violation>>> results) {
    add("", "## Overview", "");
    add("| peer | version | run | kept | broken |", "|---|---|---|---|---|");
    results.forEach(
        (peer, rules) ->
            add(
                "| ["
                    + peer.name()
                    + "](#"
                    + anchor(peer)
                    + ") | "
                    + peer.artifact()
                    + " | "
                    + rules.size()
                    + " | "
                    + rules.values().stream().filter(Optional::isEmpty).count()
                    + " | "
                    + ids(rules, true)
                    + " |"));
    add("", "| rule | " + names(results) + " |", "|---|" + "---|".repeat(results.size()));
    for (Rule rule : Rule.values()) {
      if (rule == Rule.SUITE_FINDS_THE_FLAW
          || results.values().stream().noneMatch(rules -> rules.containsKey(rule))) {
        continue;
      }
      add(
          "| ["
              + rule.id()
              + "](rules.md#"
              + rule.anchor()
              + ") "
              + rule.statement().replaceFirst("\\.$", "")
              + " | "
              + results.entrySet().stream()
                  .map(entry -> mark(entry.getKey(), entry.getValue(), rule))
                  .collect(Collectors.joining(" | "))
              + " |");
    }
    add("", "Kept, **broken**, or not run: – not offered, ○ left out with the reason below.");
  }

  private static String names(Map<Peer, ?> results) {
    return results.keySet().stream().map(Peer::name).collect(Collectors.joining(" | "));
  }

  private static String mark(Peer peer, Map<Rule, Optional<Violation>> rules, Rule rule) {
    if (!rules.containsKey(rule)) {
      return peer.leftOut().containsKey(rule) ? "○" : "–";
    }
    return rules.get(rule).isPresent() ? "**broken**" : "kept";
  }

  private static String anchor(Peer peer) {
    return peer.name()
        .toLowerCase(java.util.Locale.ROOT)
        .replaceAll("[^a-z0-9 ]", "")
        .replace(' ', '-');
  }

  private static String ids(Map<Rule, Optional<Violation>> rules, boolean broken) {
    String ids =
        rules.entrySet().stream()
            .filter(entry -> entry.getValue().isPresent() == broken)
            .map(entry -> entry.getKey().id())
            .collect(Collectors.joining(", "));
    return ids.isEmpty() ? "none" : ids;
  }

  private void section(Peer peer, Map<Rule, Optional<Violation>> rules) {
    add(
        "",
        "## " + peer.name(),
        "",
        "`" + peer.artifact() + "`, each rule tried with " + peer.tries() + " traces.");
    add("", "**What it promises.** " + peer.algorithm());
    add("", "**How it was put to the test.** " + peer.adapter());
    add("", "**Declared.** " + names(peer.declared()) + ".");
    add("", "**Not offered, so not declared.**", "");
    byReason(peer.notOffered(), Feature.class)
        .forEach((reason, features) -> add("- " + names(features) + ": " + reason + "."));
    if (!peer.leftOut().isEmpty()) {
      add("", "**Left out.**", "");
      byReason(peer.leftOut(), Rule.class)
          .forEach(
              (reason, left) ->
                  add(
                      "- "
                          + left.stream().map(Rule::id).collect(Collectors.joining(", "))
                          + ": "
                          + reason
                          + "."));
    }
    add("", "**Kept.** " + ids(rules, false) + ".");
    add("", "**Broken.** " + ids(rules, true) + ".");
    rules.forEach((rule, violation) -> violation.ifPresent(found -> broken(peer, rule, found)));
    if (!peer.known().isEmpty()) {
      add("", "**Beside.**", "");
      peer.known().forEach(known -> add("- " + known));
    }
  }

  private void broken(Peer peer, Rule rule, Violation violation) {
    add(
        "",
        "### " + peer.name() + " and rule " + rule.id(),
        "",
        peer.remarks().getOrDefault(rule, "No remark yet."),
        "",
        "```");
    for (String line : violation.getMessage().split("\n", -1)) {
      if (line.startsWith("  hint ")) {
        break;
      }
      if (!line.startsWith("  limiter ")) {
        lines.add(line);
      }
    }
    while (lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    add("```");
  }

  private static String names(Set<Feature> features) {
    return features.stream().map(Feature::name).collect(Collectors.joining(", "));
  }

  /** What has the same reason together, in the order of the first of them. */
  private static <K extends Enum<K>> Map<String, Set<K>> byReason(
      Map<K, String> reasons, Class<K> type) {
    Map<String, Set<K>> together = new java.util.LinkedHashMap<>();
    new EnumMap<>(reasons)
        .forEach(
            (key, reason) ->
                together.computeIfAbsent(reason, any -> EnumSet.noneOf(type)).add(key));
    return together;
  }
}
