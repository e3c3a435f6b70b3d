package dev.weir.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiter;
import dev.weir.RateLimiterUnavailableException;
import dev.weir.redis.testing.FaultProxy;
import dev.weir.redis.testing.RedisProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * TLS is the client's: limiters work over it and do not notice. The embedded server cannot do it,
 * so a proxy in front of it does.
 */
class TlsTest {

  private static final String STORE_PASSWORD = "changeit";

  @TempDir private static Path directory;

  private static RedisProcess server;
  private static FaultProxy tls;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException, InterruptedException {
    server = RedisProcess.start();
    server.call(LimiterUser.rights());
    SSLContext context = SSLContext.getInstance("TLS");
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(newKeyStore(), STORE_PASSWORD.toCharArray());
    context.init(keys.getKeyManagers(), null, null);
    tls =
        new FaultProxy(
            server.uri(),
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
  }

  @AfterAll
  static void stop() {
    tls.close();
    server.close();
  }

  /** A key for 127.0.0.1 that nobody vouches for, in a file that serves as a trust store too. */
  private static KeyStore newKeyStore()
      throws IOException, GeneralSecurityException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "server",
                "-dname",
                "CN=redis",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD,
                "-keystore",
                store().toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).as("exit code of keytool").isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store())) {
      keys.load(file, STORE_PASSWORD.toCharArray());
    }
    return keys;
  }

  private static Path store() {
    return directory.resolve("server.p12");
  }

  private static Config config() {
    Config config =
        new Config()
            .setLazyInitialization(true)
            .setUsername(LimiterUser.NAME)
            .setPassword(LimiterUser.PASSWORD);
    config
        .useSingleServer()
        .setAddress("rediss://127.0.0.1:" + tls.uri().getPort())
        .setConnectionMinimumIdleSize(1)
        .setRetryAttempts(0);
    return config;
  }

  @ParameterizedTest
  @EnumSource
  void aLimiterWorksOverTlsAsAUserWithAPassword(Algorithm algorithm) throws IOException {
    RedissonClient redisson =
        Redisson.create(
            config()
                .setSslTruststore(store().toUri().toURL())
                .setSslTruststorePassword(STORE_PASSWORD));
    try {
      RateLimiter limiter =
          algorithm.create(redisson, 10, Duration.ofDays(366), Algorithm.patient());
      assertThat(limiter.tryAcquire("key", 3).remaining()).isEqualTo(7);
      assertThat(limiter.peek("key", 8).allowed()).isFalse();
      limiter.reset("key");
      assertThat(limiter.tryAcquire("key", 10).allowed()).isTrue();
    } finally {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void aServerWhoseCertificateNobodyTrustsIsUnavailableAndGetsNoKey() {
    server.call("CONFIG", "RESETSTAT");
    RedissonClient redisson = Redisson.create(config());
    try {
      RateLimiter limiter =
          Algorithm.TOKEN_BUCKET.create(
              redisson,
              10,
              Duration.ofDays(366),
              Algorithm.patient().withTimeout(Duration.ofSeconds(2)));
      assertThatThrownBy(() -> limiter.tryAcquire(Load.SECRET))
          .isInstanceOf(RateLimiterUnavailableException.class)
          .satisfies(failure -> assertThat(LogRecorder.text(failure)).doesNotContain(Load.SECRET));
      assertThat(String.valueOf(server.call("INFO", "commandstats")))
          .doesNotContain("cmdstat_eval")
          .doesNotContain("cmdstat_auth");
    } finally {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
