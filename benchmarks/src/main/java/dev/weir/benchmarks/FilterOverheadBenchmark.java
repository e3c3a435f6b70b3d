package dev.weir.benchmarks;

import dev.weir.RateLimiter;
import dev.weir.TokenBucketPolicy;
import dev.weir.memory.InMemoryTokenBucket;
import dev.weir.redis.tokenbucket.RedisTokenBucket;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.redisson.api.RedissonClient;

/**
 * The time of one request on a kept-alive loopback connection to a servlet that answers two bytes:
 * bare, and behind the filter with a limiter that always admits.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(3)
public class FilterOverheadBenchmark {

  private static final byte[] REQUEST =
      "GET /api/x HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BODY = "ok".getBytes(StandardCharsets.US_ASCII);

  /** Created by JMH. */
  public FilterOverheadBenchmark() {}

  /** The server. */
  @State(Scope.Benchmark)
  public static class Site {

    /** What stands before the servlet. */
    @Param({"none", "memory", "redis"})
    public String filter;

    private Server server;
    private int port;
    private RedissonClient redisson;
    private LocalRedis redis;

    /** Created by JMH. */
    public Site() {}

    /** Starts it. */
    @Setup(Level.Trial)
    public void start() throws Exception {
      ServletContextHandler handler = new ServletContextHandler();
      handler.addServlet(new Ok(), "/");
      if (!filter.equals("none")) {
        // Never used up, and a state that does not grow.
        TokenBucketPolicy policy =
            TokenBucketPolicy.of(1_000_000_000, 1_000_000_000, Duration.ofSeconds(1));
        RateLimiter limiter;
        if (filter.equals("memory")) {
          limiter = InMemoryTokenBucket.create(policy);
        } else {
          redis = new LocalRedis();
          redisson = LocalRedis.client(redis.uri);
          limiter = RedisTokenBucket.create(redisson, policy);
        }
        handler.addFilter(
            new FilterHolder(RateLimitFilter.builder(limiter).name("api").build()),
            "/*",
            EnumSet.of(DispatcherType.REQUEST));
      }
      server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      server.setHandler(handler);
      server.start();
      port = connector.getLocalPort();
    }

    /** Stops it. */
    @TearDown(Level.Trial)
    public void stop() throws Exception {
      server.stop();
      if (redisson != null) {
        redisson.shutdown();
        redis.close();
      }
    }
  }

  /** A connection of one client. */
  @State(Scope.Thread)
  public static class Connection {

    private Socket socket;
    private InputStream in;
    private OutputStream out;

    /** Created by JMH. */
    public Connection() {}

    /** Connects, and checks that the filter is where it should be. */
    @Setup(Level.Trial)
    public void open(Site site) throws IOException {
      socket = new Socket("127.0.0.1", site.port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
      String head = ask();
      if (!head.startsWith("HTTP/1.1 200")
          || head.contains("RateLimit: \"api\"") == site.filter.equals("none")) {
        throw new IllegalStateException("unexpected answer: " + head);
      }
    }

    private String ask() throws IOException {
      out.write(REQUEST);
      StringBuilder head = new StringBuilder(400);
      while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
        int read = in.read();
        if (read < 0) {
          throw new IOException("the server closed the connection after: " + head);
        }
        head.append((char) read);
      }
      in.skipNBytes(BODY.length);
      return head.toString();
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      socket.close();
    }
  }

  /** One request and its answer. */
  @Benchmark
  public String request(Connection connection) throws IOException {
    return connection.ask();
  }

  private static final class Ok extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentLength(BODY.length);
      response.getOutputStream().write(BODY);
    }
  }
}
