package dev.weir.servlet;

import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PathFuzzTest {

  private static final String[] SEGMENTS = {
    "api", "x", "login", "v1", "a.b", "\u00fc", "..b", "b.."
  };

  @Test
  void everySpellingOfAPathMatchesWhatThePathMatches() {
    Random random = Fuzz.random();
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      String[] segments = new String[1 + random.nextInt(4)];
      for (int s = 0; s < segments.length; s++) {
        segments[s] = SEGMENTS[random.nextInt(SEGMENTS.length)];
      }
      String path = "/" + String.join("/", segments);
      String raw = spelled(segments, random);
      List<String> readings = RequestPath.readings(Requests.forPath("", raw, path));
      PathPattern exact = PathPattern.parse(path);
      PathPattern below = PathPattern.parse("/" + segments[0] + "/*");
      if (readings.stream().noneMatch(r -> exact.matches(r, false))
          || readings.stream().noneMatch(r -> below.matches(r, false))) {
        fail("%s is read as %s, must be %s", raw, readings, path);
      }
      // The same when the container says nothing, or shows the path as it came.
      for (String seen : new String[] {"/", raw}) {
        List<String> alone = RequestPath.readings(Requests.forPath("", raw, seen));
        if (alone.stream().noneMatch(r -> exact.matches(r, false))) {
          fail("%s, shown as %s, is read as %s, must be %s", raw, seen, alone, path);
        }
      }
    }
  }

  private static String spelled(String[] segments, Random random) {
    StringBuilder raw = new StringBuilder();
    boolean parameter = false;
    for (String segment : segments) {
      raw.append(
          // After a parameter an encoded separator would be part of the parameter.
          switch (random.nextInt(parameter ? 7 : 12)) {
            case 0 -> "//";
            case 1 -> "/./";
            case 2 -> "/y/../";
            case 3 -> "/%2e/";
            case 4 -> "/y/%2E%2e/";
            case 5 -> "/;a=b/";
            case 6 -> "/y/..;a/";
            case 7 -> "%2F";
            case 8 -> "%5C";
            default -> "/";
          });
      raw.append(encoded(segment, random));
      parameter = random.nextInt(6) == 0;
      if (parameter) {
        raw.append(";v=").append(random.nextInt(3));
      }
    }
    String tail = random.nextInt(4) == 0 ? "/" : random.nextInt(8) == 0 ? "/." : "";
    String path = raw.append(tail).toString();
    return path.startsWith("/") ? path : "/" + path;
  }

  private static String encoded(String segment, Random random) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      if (b > 0 && random.nextInt(4) > 0) {
        encoded.append((char) b);
      } else {
        HexFormat hex = random.nextBoolean() ? HexFormat.of() : HexFormat.of().withUpperCase();
        encoded.append('%').append(hex.toHexDigits(b));
      }
    }
    return encoded.toString();
  }

  @Test
  void noPathMakesTheMatcherFailAndEveryNormalFormIsNormal() {
    Random random = Fuzz.random();
    String alphabet = "///..;%%2fF5cCeE0aA\\~ \u0000\u00e9\ud83d\ude00\ud800";
    PathPattern pattern = PathPattern.parse("/a/*");
    for (int i = 0; i < Fuzz.INPUTS; i++) {
      StringBuilder raw = new StringBuilder(random.nextInt(8) == 0 ? "" : "/");
      for (int length = random.nextInt(24); length > 0; length--) {
        raw.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String path = raw.toString();
      for (String context : new String[] {"", "/a"}) {
        for (String reading : RequestPath.readings(Requests.forPath(context, path, path))) {
          pattern.matches(reading, random.nextBoolean());
          if (!reading.startsWith("/")) {
            fail("%s is read as %s", path, reading);
          }
        }
      }
      String normal = RequestPath.normalise(path);
      if (!normal.equals(RequestPath.normalise(normal))) {
        fail("%s has the normal form %s, which is not normal", path, normal);
      }
    }
  }
}
