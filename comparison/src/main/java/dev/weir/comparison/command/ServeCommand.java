package dev.weir.comparison.command;

import dev.weir.ProviderContext;
import dev.weir.Quota;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir serve}: the servlet filter to try out. */
@Command(
    name = "serve",
    description = {
      "Serves /api/ping behind the servlet filter, and a page that shows what is left of your quota"
          + " and what was decided, until Ctrl-C.",
      ""
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  weir serve",
      "  weir serve --port 8080 --limit 5/10s --algorithm sliding-window",
      "  weir serve --port 0 --limit '60/1m burst 10' --algorithm token-bucket --store redis",
      "  curl -i http://127.0.0.1:8080/api/ping"
    })
final class ServeCommand implements Callable<Integer> {

  private static final String REDIS = "redis";
  private static final int MAX_PORT = 65_535;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "From 0 to 65535; 0 takes a free one (default: 8080).")
  private int port;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen on, such as 0.0.0.0 for every network (default: 127.0.0.1, this"
              + " machine alone).")
  private String host = "";

  @Option(
      names = "--limit",
      paramLabel = "N/WINDOW",
      parameterConsumer = ComparisonOptions.QuotaConsumer.class,
      description = {
        "Permits per window for each client, with a unit of us, ms, s, m, h or d; 'burst N' sets the"
            + " capacity of a token bucket (default: 5/10s)."
      })
  private Quota quota = Quota.of(5, Duration.ofSeconds(10));

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      defaultValue = "sliding-window",
      description =
          "fixed-window, sliding-window, sliding-window-counter or token-bucket (default:"
              + " sliding-window).")
  private String algorithm = "";

  @Option(
      names = "--store",
      paramLabel = "NAME",
      defaultValue = "memory",
      description = "memory or redis (default: memory).")
  private String store = "";

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "A single Redis server to use, redis://HOST:PORT (default: an embedded one, started and"
              + " stopped by the command). Several of these commands on one server count together.")
  private @Nullable String redis;

  private ServeCommand() {}

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("picocli injects the command before it runs");
    }
    CommandLine command = spec.commandLine();
    if (port < 0 || port > MAX_PORT) {
      throw new ParameterException(
          command, "--port is " + port + ", must be from 0 to " + MAX_PORT);
    }
    if (redis != null && !store.equals(REDIS)) {
      throw new ParameterException(
          command, "--redis names a server, but --store is '" + store + "', must be redis");
    }
    ProviderContext context = ProviderContext.of("serve");
    try (RedisConnection connection = store.equals(REDIS) ? RedisConnection.open(redis) : null;
        PingServer server =
            PingServer.start(
                host,
                port,
                new PingServer.Limit(store, algorithm, quota),
                connection == null
                    ? context
                    : context.with(RedissonClient.class, connection.client()))) {
      Thread stopAtExit = new Thread(server::close, "stop-server");
      Runtime.getRuntime().addShutdownHook(stopAtExit);
      print(server, connection, command.getOut());
      server.await();
      boolean unused = ShutdownHook.isTooLateToRemove(stopAtExit);
    }
    return 0;
  }

  private void print(PingServer server, @Nullable RedisConnection connection, PrintWriter out) {
    out.println("serving  " + server.uri());
    out.println(
        "limit    "
            + quota
            + " for each client, "
            + algorithm
            + " on "
            + (connection == null ? store : connection.description()));
    out.println("try      curl -i " + server.uri().resolve(PingServer.PING));
    out.println("stop     Ctrl-C");
    out.flush();
  }
}
