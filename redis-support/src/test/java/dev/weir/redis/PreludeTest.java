package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.testing.RespClient;
import dev.weir.redis.testing.TestRedis;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

class PreludeTest {

  private static final long MAX_PERIOD = 366L * 86_400_000_000L;
  private static final long MAX_LIFE = 3_660L * 86_400_000_000L;
  private static final BigInteger EXACT = BigInteger.TWO.pow(53);

  /** Quotients and remainders of ARGV[3..], three numbers each, as text. */
  private static final String MUL_DIV =
      """
      local results = {}
      for i = 3, #ARGV, 3 do
        local quotient, rest = mul_div(tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]))
        results[#results + 1] = string.format('%.0f %.0f', quotient, rest)
      end
      return results
      """;

  private static RespClient redis;

  record Product(long a, long b, long c) {

    String quotientAndRest() {
      BigInteger[] both =
          BigInteger.valueOf(a)
              .multiply(BigInteger.valueOf(b))
              .divideAndRemainder(BigInteger.valueOf(c));
      return both[0] + " " + both[1];
    }

    boolean isExact() {
      return BigInteger.valueOf(a)
              .multiply(BigInteger.valueOf(b))
              .divide(BigInteger.valueOf(c))
              .compareTo(EXACT)
          < 0;
    }
  }

  @Property
  void aProductIsDividedExactly(@ForAll("products") List<Product> products) {
    List<Product> exact = products.stream().filter(Product::isExact).toList();
    List<String> arguments = new ArrayList<>();
    for (Product product : exact) {
      arguments.addAll(
          List.of(String.valueOf(product.a), String.valueOf(product.b), String.valueOf(product.c)));
    }

    assertThat(run(MUL_DIV, "0", arguments.toArray(String[]::new)))
        .isEqualTo(exact.stream().map(Product::quotientAndRest).toList());
  }

  @Provide
  Arbitrary<List<Product>> products() {
    // Elapsed time, refill, period; missing tokens, period, refill; a fraction, period, scale.
    return Arbitraries.oneOf(
            products(MAX_LIFE, 1_000_000_000_000L, MAX_PERIOD),
            products(1_000_000_000_000L, MAX_PERIOD, 1_000_000_000_000L),
            products(MAX_PERIOD, MAX_PERIOD, MAX_PERIOD))
        .list()
        .ofMinSize(1)
        .ofMaxSize(50);
  }

  private static Arbitrary<Product> products(long maxA, long maxB, long maxC) {
    return Combinators.combine(
            Arbitraries.longs().between(0, maxA),
            Arbitraries.longs().between(1, maxB),
            Arbitraries.longs().between(1, maxC))
        .as(Product::new);
  }

  @Property
  void aNumberJustBelowAMultipleIsNotRoundedUpToIt(
      @ForAll("divisors") long divisor, @ForAll("quotients") long quotient) {
    long below = Math.min(quotient, (1L << 53) / divisor - 1) * divisor + divisor - 1;

    assertThat(
            run(
                "local x, y = tonumber(ARGV[3]), tonumber(ARGV[4])\n"
                    + "return string.format('%.0f %.0f', (x - x % y) / y, x % y)",
                "0", String.valueOf(below), String.valueOf(divisor)))
        .isEqualTo(below / divisor + " " + below % divisor);
  }

  @Provide
  Arbitrary<Long> divisors() {
    return Arbitraries.longs().between(1, 1L << 40);
  }

  @Provide
  Arbitrary<Long> quotients() {
    return Arbitraries.longs().between(0, (1L << 53) - 1);
  }

  @Test
  void aTimeToLiveIsInWholeMillisecondsRoundedUpAndNeverZero() {
    assertThat(ttl("", 0)).isEqualTo(1);
    assertThat(ttl("", 1)).isEqualTo(1);
    assertThat(ttl("", 1_000)).isEqualTo(1);
    assertThat(ttl("", 1_001)).isEqualTo(2);
    assertThat(ttl("", MAX_LIFE)).isEqualTo(MAX_LIFE / 1_000);
  }

  @Test
  void aTimeToLiveOfAnInjectedClockIsAnHourAtLeast() {
    assertThat(ttl("0", 1)).isEqualTo(3_600_000);
    assertThat(ttl("0", 3_600_000_001L)).isEqualTo(3_600_001);
  }

  @Test
  void theServersClockIsReadToTheMicrosecond() {
    List<?> before = (List<?>) redis().call("TIME");
    String now = (String) run("return string.format('%.0f', now)", "");
    List<?> after = (List<?>) redis().call("TIME");

    assertThat(Long.parseLong(now)).isBetween(micros(before), micros(after));
  }

  @Test
  void aStateIsReadBackAsItWasWritten() {
    String key = TestRedis.freshNamespace();
    redis()
        .call(
            "EVAL",
            script("write({ 0, 1, 127, 128, 4294967296, 9007199254740992 }, 60000000)").text(),
            "1",
            key,
            "",
            "acquire");

    assertThat(
            redis()
                .call(
                    "EVAL",
                    script("return string.format(string.rep('%.0f ', 6), unpack(read(6)))").text(),
                    "1",
                    key,
                    "",
                    "acquire"))
        .isEqualTo("0 1 127 128 4294967296 9007199254740992 ");
    assertThat(redis().number("PTTL", key)).isBetween(50_000L, 60_000L);
  }

  @Test
  void whatIsNoListOfSoManyIntegersIsRefused() {
    for (String foreign :
        List.of(
            "'12'",
            "'hello'",
            "''",
            "cmsgpack.pack(1, 2)",
            "cmsgpack.pack({ 1 })",
            "cmsgpack.pack({ 1, 2, 3 })",
            "cmsgpack.pack({ 1, -2 })",
            "cmsgpack.pack({ 1, 2.5 })",
            "cmsgpack.pack({ 1, '2' })",
            "cmsgpack.pack({ a = 1, b = 2 })",
            "cmsgpack.pack({ 1, 2 }) .. 'x'",
            "string.sub(cmsgpack.pack({ 1, 1000 }), 1, -2)")) {
      String key = TestRedis.freshNamespace();
      String text = "redis.call('SET', KEYS[1], " + foreign + ", 'EX', 60)\nread(2)";

      assertThatThrownBy(() -> redis().call("EVAL", script(text).text(), "1", key, "", "acquire"))
          .as(foreign)
          .hasMessageStartingWith("WEIRSTATE");
    }
  }

  @Test
  void aScriptWhoseFileIsMissingSaysWhich() {
    assertThatThrownBy(() -> RedisScript.read(null, "gone.lua"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("gone.lua");
  }

  private static long ttl(String now, long micros) {
    return (Long) run("return ttl(tonumber(ARGV[3]))", now, String.valueOf(micros));
  }

  private static long micros(List<?> time) {
    return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
  }

  private static Object run(String text, String now, String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("EVAL", script(text).text(), "0", now, "acquire"));
    command.addAll(List.of(arguments));
    return redis().call(command.toArray(String[]::new));
  }

  private static RedisScript script(String text) {
    return RedisScript.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test");
  }

  private static RespClient redis() {
    if (redis == null) {
      redis = new RespClient(TestRedis.uri());
    }
    return redis;
  }

  @AfterContainer
  static void close() {
    if (redis != null) {
      redis.close();
      redis = null;
    }
  }
}
