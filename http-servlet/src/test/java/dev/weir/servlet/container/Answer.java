package dev.weir.servlet.container;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/1.1 response, read from the socket to its end. */
record Answer(int status, Map<String, List<String>> headers, String body) {

  /** Sends a request byte by byte as it is given, since clients would tidy it up. */
  static Answer to(int port, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return parse(socket.getInputStream());
    }
  }

  private static Answer parse(InputStream in) throws IOException {
    String all = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    int end = all.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no answer but '" + all + "'");
    }
    String[] lines = all.substring(0, end).split("\r\n");
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers
          .computeIfAbsent(lines[i].substring(0, colon), name -> new ArrayList<>())
          .add(lines[i].substring(colon + 1).strip());
    }
    String body = all.substring(end + 4);
    boolean chunked = headers.getOrDefault("Transfer-Encoding", List.of()).contains("chunked");
    return new Answer(
        Integer.parseInt(lines[0].split(" ")[1]), headers, chunked ? joinChunks(body) : body);
  }

  private static String joinChunks(String body) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; ; ) {
      int line = body.indexOf("\r\n", i);
      int size = line < 0 ? 0 : Integer.parseInt(body.substring(i, line), 16);
      if (size == 0) {
        return joined.toString();
      }
      joined.append(body, line + 2, line + 2 + size);
      i = line + 2 + size + 2;
    }
  }

  /** The value of a header that is there at most once; null if it is not. */
  String header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw new AssertionError(name + " is there " + values.size() + " times: " + values);
    }
    return values.isEmpty() ? null : values.get(0);
  }
}
