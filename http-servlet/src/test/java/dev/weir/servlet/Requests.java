package dev.weir.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Requests for the parts that need no container, which ask for little more than strings. */
final class Requests {

  private Requests() {}

  /** A request that came through a connection, with header lines of one name. */
  static HttpServletRequest from(String peer, String header, String... lines) {
    return answering(
        Map.of("getRemoteAddr", peer),
        (name) -> header.equalsIgnoreCase(name) ? List.of(lines) : List.of());
  }

  /** A request for a path, as a container that decodes nothing further would show it. */
  static HttpServletRequest forPath(String context, String raw, String servletPath) {
    return answering(
        Map.of("getContextPath", context, "getRequestURI", raw, "getServletPath", servletPath),
        name -> List.of());
  }

  private interface Headers {
    List<String> lines(String name);
  }

  private static HttpServletRequest answering(Map<String, String> answers, Headers headers) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            Requests.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                method.getName().equals("getHeaders")
                    ? Collections.enumeration(headers.lines((String) arguments[0]))
                    : answers.get(method.getName()));
  }
}
