package dev.weir.redis.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A bare connection to a server, to look at what a limiter did behind its back. */
public final class RespClient implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  public RespClient(URI uri) {
    try {
      socket = new Socket(uri.getHost(), uri.getPort());
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String userInfo = uri.getUserInfo();
    if (userInfo != null) {
      String[] userAndPassword = userInfo.split(":", 2);
      if (userAndPassword[0].isEmpty() || userAndPassword.length == 1) {
        call("AUTH", userAndPassword[userAndPassword.length - 1]);
      } else {
        call("AUTH", userAndPassword[0], userAndPassword[1]);
      }
    }
  }

  /**
   * Sends a command and returns its reply: a string, a long, a list or null.
   *
   * @throws IllegalStateException if the server answers with an error, which is the message
   */
  public @Nullable Object call(String... command) {
    return pipeline(List.<String[]>of(command)).get(0);
  }

  /**
   * Sends commands at once and returns their replies.
   *
   * @throws IllegalStateException if the server answers one with an error, the first of which is
   *     the message
   */
  public synchronized List<@Nullable Object> pipeline(List<String[]> commands) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (String[] command : commands) {
        bytes.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String part : command) {
          byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
          bytes.writeBytes(ascii("$" + utf8.length + "\r\n"));
          bytes.writeBytes(utf8);
          bytes.writeBytes(ascii("\r\n"));
        }
      }
      out.write(bytes.toByteArray());
      List<@Nullable Object> replies = new ArrayList<>();
      for (int i = 0; i < commands.size(); i++) {
        replies.add(reply());
      }
      for (Object reply : replies) {
        if (reply instanceof ServerError error) {
          throw new IllegalStateException(error.message);
        }
      }
      return replies;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record ServerError(String message) {}

  public long number(String... command) {
    return (Long) call(command);
  }

  /** Returns a line {@code name:value} of the server's INFO, or null. */
  public @Nullable String info(String section, String name) {
    return String.valueOf(call("INFO", section))
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse(null);
  }

  /** Returns how often the server ran a command since CONFIG RESETSTAT. */
  public long calls(String command) {
    return commandStats()
        .filter(stats -> stats.group(1).equals(command))
        .mapToLong(stats -> Long.parseLong(stats.group(2)))
        .sum();
  }

  /**
   * Returns what the server ran since CONFIG RESETSTAT, as {@code name count}, but for what clients
   * and this connection do on the side.
   */
  public List<String> commands() {
    return commandStats()
        .filter(stats -> !Set.of("info", "ping").contains(stats.group(1)))
        .filter(stats -> !stats.group(1).startsWith("config"))
        .map(stats -> stats.group(1) + ' ' + stats.group(2))
        .toList();
  }

  private Stream<MatchResult> commandStats() {
    return Pattern.compile("cmdstat_(\\S+):calls=(\\d+)")
        .matcher(String.valueOf(call("INFO", "commandstats")))
        .results();
  }

  private @Nullable Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+':
        return rest;
      case '-':
        return new ServerError(rest);
      case ':':
        return Long.parseLong(rest);
      case '$':
        int length = Integer.parseInt(rest);
        if (length < 0) {
          return null;
        }
        byte[] bytes = in.readNBytes(length);
        in.readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
      case '*':
        int size = Integer.parseInt(rest);
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          list.add(reply());
        }
        return list;
      default:
        throw new IllegalStateException("not a reply: " + line);
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      bytes.write(b);
    }
    in.read();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
